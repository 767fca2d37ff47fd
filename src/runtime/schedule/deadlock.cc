// Threads that wait for each other: an edge leads from a thread that waits, for ever, for a lock or
// for the end of a thread to the one that holds the lock or has to end. Each thread has one such
// edge at most, so a cycle is found by walking from the thread that waits last.
//
// A lock that others release, too, is a semaphore, and its edge means nothing. Such a lock is one
// that was released by another thread before, or that its own holder waits for: the rest is a
// deadlock when no thread can go on.
#include "runtime/schedule/seats.h"
#include "runtime/sync/sync.h"

namespace isosan::rt {
namespace {

Seat* seat_of_thread(std::uint32_t thread) {
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (path_entry(seat->path).thread == thread) return seat;
  }
  return nullptr;
}

}  // namespace

Seat* blocker_of(const Seat& seat) {
  if (seat.state != SeatState::kWaiting || seat.deadline != kForEver) return nullptr;
  if (seat.waits == log::Waits::kJoin) return seat_of_thread(seat.joined);
  if (seat.waits != log::Waits::kLock && seat.waits != log::Waits::kSharedLock) return nullptr;
  const std::uint32_t owner = owner_of_lock(seat.object);
  return owner == kNobody ? nullptr : seat_of_thread(owner);
}

namespace {

// The thread that alone can end the wait; null: there may be others.
const Seat* only_helper(const Seat& seat) {
  const Seat* blocker = blocker_of(seat);
  if (blocker == nullptr || seat.waits == log::Waits::kJoin) return blocker;
  return blocker == &seat || was_handed_over(seat.object) ? nullptr : blocker;
}

}  // namespace

// Ends: a cycle without `seat` would have ended the run when it was closed. A lock that is handed
// over after that only removes edges.
bool closes_cycle(const Seat& seat) {
  const Seat* at = only_helper(seat);
  while (at != nullptr && at != &seat) at = only_helper(*at);
  return at != nullptr;
}

}  // namespace isosan::rt
