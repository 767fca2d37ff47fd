// What a thread does and does not tell for the time being, in a buffer of its own: a unit of work
// that may turn out to be in no cycle (lone_units.h). It is thrown away when the outermost call
// returns. It is told before that if the thread meets somebody, before anything else goes to the
// log (which has no room meanwhile), before an epoch is closed that others hear of, and before the
// thread blocks.
//
// Others see of withheld epochs (Slot::withheld_from) that they are not in the log: no clock covers
// them, and who wants a word that has one asks its owner.
//
// Memory that is allocated or freed is told in any case, with the calls in which that happened:
// whose it is hangs on them.
//
// Locks that are acquired and given up again, and notifications, are withheld like accesses. Whom
// the thread comes after by that, it comes after from where it began to withhold: the marker goes
// to the log at once. That is no order too many: of what is withheld nobody has asked for anything.
// What it publishes leads to the unit only when that is told or has ended; who observes it before
// asks (sync.cc).
#pragma once

#include "runtime/ownership/open_calls.h"
#include "runtime/ownership/thread.h"

namespace isosan::rt {

// From here on, with the call that was entered last. The slot's withheld_from says so already.
inline void begin_to_withhold(Thread& t) {
  Withheld& withheld = t.withheld;
  withheld.block.position = withheld.told = 0;
  t.withholds = 1;
  withheld.in_told_call = withheld.has_memory = false;
  withheld.lock_count = 0;
  withheld.told_edges = t.open_edge_count - 1;
  take_room(t);
  t.appends = &withheld.block;
  t.block->gathers = 0;
}
inline void withhold_no_more(Thread& t) {
  t.withholds = 0;
  t.appends = t.block;
  t.block->gathers = gathers_loops();
  give_room_back(t);
}
void withhold(Thread& t);  // from here on
// What was withheld, at the end of the outermost call, of this function. False: a lock is held
// since, so it is told.
bool leave_out(Thread& t, std::uint64_t function);
// The units that are open end at a barrier, and others begin behind it. Of what was withheld the
// calls that are open are told (all, if a lock is held since); behind it the thread withholds
// again.
void leave_out_before_barrier(Thread& t);
void withhold_behind_barrier(Thread& t);
// This block is where a thread withholds, and is full: there is room again.
bool begin_withheld_anew(log::ThreadBlock* block);

// What goes to the log next, so many units of it.
inline log::ThreadBlock* log_with_room(Thread& t, std::uint64_t count) {
  const log::ThreadBlock& block = t.withheld.block;
  if (t.withholds && block.limit - block.position < count) tell_withheld(t);
  return t.withholds ? &t.withheld.block : t.block;
}

// What goes to the log next is that a lock is acquired, or given up: if that may not be withheld,
// all is told.
void withhold_acquire(Thread& t, std::uint64_t lock);
void withhold_release(Thread& t, std::uint64_t lock);
// Appends to the log itself, before what is withheld: a marker.
template <class F>
void append_before_withheld(Thread& t, F append) {
  if (t.withholds) give_room_back(t);
  append(*t.block);
  if (t.withholds) take_room(t);
}

// Exclusive to somebody who has not logged what it did to it.
inline bool is_withheld(Word w) {
  return g_log.leaves_out &&
         slot_at(slot_of(w)).withheld_from.load(std::memory_order_acquire) <= epoch_of(w);
}

}  // namespace isosan::rt
