// Per-thread logs to one linear order.
//
// Model: each thread's log is a sequence of LogUnits with positions 0, 1, 2, ...; it arrives in
// pieces. A marker (U, p) in T's log blocks T until U has been read up to p. Threads that are
// not blocked are read one after the other, each as far as possible. Law: the order of the events
// of a thread is that of its log, and everything of U before p comes before everything of T after
// the marker. The logged run itself is an order that respects all markers, so some thread can
// always be read further; if none can, units are missing or damaged.
//
// Buffered are the units that are blocked or not yet drained. A live reader that must bound
// them stops appending to a thread whose buffered() is large: then the ring of that thread fills up
// and the thread itself waits. Some other thread can always be drained.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/input_error.h"
#include "event/dependence.h"
#include "event/event.h"
#include "runtime/contract/log_format.h"
#include "trace/order/log_decoder.h"
#include "trace/stream/trace_source.h"

namespace isosan {

class Linearizer {
 public:
  // `contexts` is the table that the calling contexts of the events go to; `name` is what errors
  // call the log. Both references must outlive the Linearizer.
  Linearizer(PlaceResolver& resolver, std::vector<Context>& contexts, std::string name,
             bool lenient = false);

  // From now on strided ranges are one event each (event.h: walks).
  void keep_walks() { decoder_.keep_walks(); }
  bool keeps_walks() const { return decoder_.keeps_walks(); }
  // Plain accesses to other granules are no events (log_decoder.h).
  void keep_plain_only_at(const UnorderedGranules* g) { decoder_.keep_plain_only_at(g); }
  // From now on dependences() has the markers.
  void enable_dependences() { has_dependences_ = true; }
  bool has_dependences() const { return has_dependences_; }
  // Of the events that drain() has appended to `out` since the last call of forget_dependences();
  // the points are numbered with calls and returns as cuts (may_be_cut).
  const std::vector<Dependence>& dependences() const { return dependences_; }
  void forget_dependences() { dependences_.clear(); }

  // A piece of the thread's log, ending with a whole record. Positions that were left out (lenient
  // reading of a damaged file) are taken as read.
  void append(ThreadId thread, std::uint64_t first_position, std::span<const log::LogUnit> units);

  std::uint64_t appended(ThreadId thread) const;  // position behind the last unit appended
  std::uint64_t consumed(ThreadId thread) const;  // position up to which events were handed out
  std::uint64_t buffered(ThreadId thread) const;  // units between the two
  std::uint64_t buffered() const { return buffered_; }

  // Appends events to `out` until it holds `limit` (or some calls more that lead to the last of
  // them), or nothing more can be linearized. Throws InputError at damage, after everything before
  // it in that thread was handed out.
  void drain(std::vector<Event>& out, std::size_t limit);

  // No more pieces will come: a marker of a position that was never written (its thread was killed)
  // blocks no thread any more; call drain() again. Throws InputError if threads wait for each
  // other; lenient: ignores these markers. True when everything was handed out.
  bool finish();

  const PassedOver& passed_over() const { return passed_over_; }

 private:
  struct Waiter {
    std::uint64_t position;
    std::uint32_t thread;
  };
  struct ThreadLog {
    std::vector<log::LogUnit> units;
    std::size_t begin = 0;       // of the units not yet read
    std::uint64_t position = 0;  // of units[begin]
    std::uint64_t appended = 0;
    LogDecoder::ThreadState state;
    bool blocked = false;            // in the waiters of another thread
    bool queued = false;             // in runnable_
    std::vector<Waiter> waiters;     // threads that wait for a position of this one
    CutHistory<std::uint64_t> cuts;  // their positions
  };

  ThreadLog& log_of(std::uint32_t thread);
  void enqueue(std::uint32_t thread);
  void run(std::uint32_t thread, EventRoom& room);
  std::size_t read_record(std::uint32_t thread, ThreadLog& log, std::span<const log::LogUnit> rest,
                          EventRoom& room);
  bool pass_marker(std::uint32_t thread, const log::LogUnit& marker, const EventRoom& room);
  void wake_waiters(ThreadLog& log);
  void unblock(ThreadLog& log, std::vector<Waiter>::iterator waiter);
  void add_dependence(std::uint32_t thread, const ThreadLog& other, const log::LogUnit& marker,
                      const EventRoom& room);
  bool damaged(std::uint32_t thread, const char* what);

  LogDecoder decoder_;
  std::string name_;
  bool lenient_;
  std::deque<ThreadLog> logs_;  // by thread; a deque: references stay valid
  std::deque<std::uint32_t> runnable_;
  std::uint64_t buffered_ = 0;
  std::vector<Event> staged_;   // events to be handed out
  std::size_t handed_out_ = 0;  // events in `out` before the staged ones
  bool has_dependences_ = false;
  std::vector<Dependence> dependences_;
  std::optional<InputError> error_;
  PassedOver passed_over_;
};

}  // namespace isosan
