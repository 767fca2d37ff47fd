// Safe points, as the thread itself sees them: places where everything it has checked is also done
// and logged (ownership/coordinate.h has what others do there).
#pragma once

#include "runtime/thread/thread.h"

namespace isosan::rt {

inline void enter_safe_point(Thread& t) {
  close_walks(t.block);
  ISOSAN_DEBUG_CHECK(t.slot->status.load() == 0);      // safe points do not nest
  t.slot->status.store(1, std::memory_order_release);  // order: safe point
}

inline void leave_safe_point(Thread& t) {
  const std::uint64_t status =
      t.slot->status.exchange(0, std::memory_order_acq_rel);  // order: safe point
  ISOSAN_DEBUG_CHECK((status & 1) != 0);                      // it was at one
  if (status <= 1) return;
  // A thread that relies on the safe point has the lock while it does something here.
  t.slot->lock.lock();
  t.slot->lock.unlock();
  bump_epoch(t);
}

inline bool must_answer(const Thread& t) {
  return t.block->poll.load(std::memory_order_relaxed) != 0 || t.bump_pending;
}

// Signals that came where a handler must not run (the front implements these:
// front/intercept/deferred_signals.h).
int request_signal();
void send_request(std::uint32_t tid);  // to a thread of this process
bool keeps_signal(const Thread& t);
void deliver_deferred_signals(Thread& t);
// The signal mask that the program believes it has, if that of the kernel is `mask`.
std::uint64_t program_mask(const Thread* t, std::uint64_t mask);
bool program_handles_signals();  // that come from elsewhere
void end_signals(Thread& t);     // delivers what is left; from here on the thread gets none
void prepare_signals(Thread& t);
void drop_signals(Thread& t);

}  // namespace isosan::rt
