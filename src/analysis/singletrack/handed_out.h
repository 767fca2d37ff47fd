// Loops whose pieces go to whichever thread asks next (schedule(dynamic) of OpenMP).
//
// Model: which thread gets a piece is decided by a race. It makes no difference as long as a piece
// does the same in every thread. So no piece may read what another piece of the same loop has left
// behind in the memory of the thread: with another schedule the two are in different threads. A
// conflict is a piece that reads a byte that an earlier piece of the same loop, in the same thread,
// wrote last; and a read after the loop of a byte that two of its pieces wrote, one after the other
// in one thread. A byte that a piece writes before it reads it is scratch memory. Left out is the
// thread's own stack: private variables, the parts of a reduction. Pieces in different threads are
// checked like all other operations. Not seen: a number of the thread that the program has asked
// for before the loop, and uses as a value.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/fasttrack/history.h"
#include "base/byte_map.h"
#include "event/event.h"

namespace isosan {

class HandedOut {
 public:
  bool any() const { return pieces_ > 0; }  // else nothing has to be called

  // In the stream a piece is an allocation of no bytes where the thread's own stack begins, and a
  // free of none where it ends. One at 0: the thread gets no more pieces of this loop.
  static bool is_edge(const MemoryOperation& e) {
    return e.size == 0 && e.origin == MemoryOrigin::kStack;
  }
  void take(ThreadId t, Address stack) {
    Piece& now = piece_of(t);
    if (stack == 0) {
      now = {};
      return;
    }
    ++pieces_;
    now = {now.loop != 0 ? now.loop : pieces_, pieces_, stack, 0};
  }
  void ends_own_stack(ThreadId t, Address end) {
    Piece& now = piece_of(t);
    if (now.number != 0) now.stack_size = end - now.stack;
  }

  void write(const AccessRecord& record, Address address, std::uint64_t size) {
    const Piece& now = piece_of(ThreadId{record.epoch.thread()});
    if (now.number == 0) {
      memory_.visit_present(address, size, [](Cell& cell, auto) { cell = {}; });
    } else if (!now.has_on_stack(address)) {
      memory_.visit(address, size, [&](Cell& cell) {
        const bool is_second = cell.loop == now.loop && cell.piece != now.number;
        if (is_second || cell.loop != now.loop) cell.other = is_second ? cell.last : AccessRecord{};
        cell.last = record;
        cell.loop = now.loop;
        cell.piece = now.number;
      });
    }
  }

  // Calls f(the write of the other piece) if there is one.
  template <class F>
  void read(const AccessRecord& record, Address address, std::uint64_t size, F&& f) {
    const Piece& now = piece_of(ThreadId{record.epoch.thread()});
    if (now.has_on_stack(address)) return;
    memory_.visit_present(address, size, [&](Cell& cell, auto) {
      if (cell.loop != 0 && cell.loop == now.loop) {
        if (cell.piece != now.number) f(cell.last);
      } else if (cell.other.epoch != Epoch{}) {
        f(cell.other);
      }
    });
  }

  void renew(Address address, std::uint64_t size) {
    if (any()) memory_.reset(address, size);
  }

 private:
  struct Piece {
    std::uint64_t loop = 0;    // the number of its first piece in this thread
    std::uint64_t number = 0;  // 0: none
    Address stack = 0;
    std::uint64_t stack_size = 0;
    bool has_on_stack(Address a) const { return a - stack < stack_size; }
  };
  struct Cell {
    AccessRecord last;   // the last write, if a piece did it
    AccessRecord other;  // the one before, of another piece of the same loop and thread
    std::uint64_t loop = 0;
    std::uint64_t piece = 0;
  };

  Piece& piece_of(ThreadId t) {
    if (index(t) >= current_.size()) current_.resize(index(t) + std::size_t{1});
    return current_[index(t)];
  }

  std::uint64_t pieces_ = 0;  // so far; numbers are of all threads
  std::vector<Piece> current_;
  ByteMap<Cell> memory_;
};

}  // namespace isosan
