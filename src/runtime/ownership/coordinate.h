// How a thread that wants a shadow word brings its owner to a safe point (Octet's coordination).
//
// A safe point is a place where everything the thread has checked is also done and logged: it is
// not between a check and its access. Threads reach one at a poll (every entry into a slow path,
// and where the pass put one), and stay at one while they are blocked, not started or ended.
//
// A request is granted in one of three ways:
//   explicit  the owner polls: it bumps its epoch, then answers;
//   implicit  the owner is at a safe point: the requester leaves a ticket in its status, and the
//             owner, when it goes on, sees the ticket and bumps its epoch;
//   signal    the owner did not poll for a while: a handler answers on its behalf if the access
//             that was checked last is not the one asked for; the epoch is bumped at the next poll.
// The requester is itself at a safe point while it waits, so that two threads that want each
// other's words both get them.
#pragma once

#include "runtime/thread/safe_point.h"

namespace isosan::rt {

void answer_requests(Thread& t);  // the slow half of poll

// A safe point. Nothing checked before may be accessed after without a new check.
inline void poll(Thread& t) {
  if (must_answer(t)) [[unlikely]]
    answer_requests(t);
}

// Returns when `other` has been at a safe point since the call. The caller holds the word it wants.
void coordinate(Thread& t, Slot& other);
// The same for a word that is held, was `before`, and belongs to `owner`. Does nothing where no
// access of the owner can be outstanding. plain: not for an atomic operation, so it is a race.
void coordinate_with_owner(Thread& t, Slot& owner, Word before, bool plain);

// T comes after everything that `other` has logged so far: marker, then the clock (not by an order
// marker). Returns the last epoch of the other that is over.
std::uint64_t write_marker(Thread& t, Slot& other, log::Code code);
// The same because of what `other` did in `epoch`, as the mode does it. Without a dependence: memory
// is used again, or was freed.
std::uint64_t take_order(Thread& t, Slot& other, std::uint64_t epoch, bool is_dependence);

class BlockedScope {  // around a call that may block: the thread is at a safe point
 public:
  explicit BlockedScope(Thread* t) : t_(t) {
    if (t_ == nullptr) return;
    poll(*t_);
    t_->blocked_depth = t_->in_runtime;
    enter_safe_point(*t_);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // order: signal
    t_->blocked = true;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // order: signal
    if (keeps_signal(*t_)) [[unlikely]]  // since the poll; the next ones run at once
      deliver_deferred_signals(*t_);
  }
  ~BlockedScope() {
    if (t_ == nullptr) return;
    t_->blocked = false;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // order: signal
    leave_safe_point(*t_);
  }
  BlockedScope(const BlockedScope&) = delete;
  BlockedScope& operator=(const BlockedScope&) = delete;

 private:
  Thread* t_;
};

// The thread was cancelled in a blocking call. The unwinder has skipped our frames without running
// their destructors, and now runs the program's cleanup handlers.
void recover_from_cancellation(Thread& t);

// The signal of the last resort found this thread outside the runtime; false: not now. With
// at_safe_point nothing that was checked can still be outstanding.
bool answer_from_signal(Thread& t, bool at_safe_point);

}  // namespace isosan::rt
