// The transactions of a thread in a quiet run: the states of quiet.h, and how a thread goes from one
// to the next. Private to quiet.cc.
#pragma once

#include "runtime/modes/quiet_slots.h"

namespace isosan::rt::quiet {

enum class State : std::uint8_t { kClear, kBuffered, kLogged, kKept };

struct OfThread {
  State state = State::kKept;
  std::uint64_t begin = 0;           // kBuffered: the position that it is set back to
  std::uint64_t first_call = 0;      // kBuffered: the first open call that is logged behind that
  std::uint64_t generation = 0;      // up to which the visible part of the log has order markers
  std::uint64_t own_generation = 0;  // the same with the buffered part
  std::uint64_t last_function = 0;   // it gives up last_lock as the last thing it does
  std::uint64_t last_lock = 0;
  std::uint32_t maybe_regions = 0;  // open calls of which only the reader knows (may_be_region)
  bool met_another = false;   // the transaction comes after another thread's that is not dropped
  Slot* left_open = nullptr;  // the slot in which the open transaction began, if it is another
};
inline OfThread& of(const Thread& t) { return *static_cast<OfThread*>(t.of_mode); }

inline bool is_open(const OfThread& state) {
  return state.state == State::kBuffered || state.state == State::kLogged;
}

constexpr std::uint64_t kMostAtOnce =
    1 << 12;  // units of what is logged: then the reader may have it

// A transaction begins: the innermost open call is its own, and is not logged yet.
void begin(Thread& t);
// The transaction ends, and all its epochs are before `next`.
void end(Thread& t, std::uint64_t next);

// What this thread does from here on is in the log.
void be_logged(Thread& t);
// What it has appended so far is for the reader.
void publish(Thread& t);
// What a clear thread has appended is of no use.
void take_back(Thread& t);
// At a point between two epochs of a kept thread: is all that it did dropped by now?
void try_to_clear(Thread& t);
// What was logged and dropped by now comes before what this thread appends from here on.
void come_after_dropped(Thread& t);

}  // namespace isosan::rt::quiet
