// The scheduler of replay and hunt: one thread of the program runs at a time, along a schedule.
//
// Model. A thread is running, ready, waiting for an object, or outside (in a system call that waits
// for something outside the program). There is one turn. Only the thread that has the turn executes
// code of the program, so everything here is sequential, except for threads that come back from
// outside. The turn moves at points: before every operation (event/schedule.h), and where the
// thread sleeps or has to wait. A thread never enters a real primitive that would block. It tries
// the primitive. If that fails, the thread waits here until the thread that gives the primitive up
// makes it ready, and tries again. If another one has taken a lock by then, it goes on waiting.
//
// Outside the program. A step may name a thread that is outside. The scheduler waits for it a
// moment. If it does not come back by then, it may depend on a thread that is not to run, and the
// run has left its schedule. A thread that has the turn and sleeps in a call that is not
// intercepted loses the turn after a moment, and waits for it at its next point.
//
// Time is virtual: a sleep or a timed wait ends when no other thread can run, the shortest first,
// or when a step says so.
//
// Law: with the same steps, policy and seed the same thread runs at every point, as far as the
// program depends on nothing but its threads. Two things end the process at once and are reported:
// a step that cannot be taken (RunState::kLeft), and a deadlock (RunState::kDeadlock). A deadlock
// is a cycle of threads that wait for each other (deadlock.cc), whatever the others do, or a state
// in which no thread can go on.
#pragma once

#include <cstdint>

#include "runtime/contract/schedule_area.h"
#include "runtime/thread/thread.h"

namespace isosan::rt {

struct Seat;  // a thread as the scheduler knows it; stays when the thread has ended

extern bool g_serialized;  // there is a schedule

void start_schedule(Thread& main_thread);  // finds the area in the log
void stop_schedule();                      // a forked child: it runs on freely

void new_seat(Thread& parent, Thread& child);  // in the parent, in the order of the forks
void drop_seat(Thread& child);                 // it never started
void take_seat(Thread& t);                     // in the new thread: returns when it has the turn
void end_seat(Thread& t);                      // it executes nothing more
// Wakes the thread that waits to join it, and passes the turn on. The last thing that the thread
// does.
void leave_seat(Seat* seat, std::uint64_t joined_by);

// What a point looks at first; a Seat begins with it.
struct SeatPoint {
  std::uint64_t run_until = 0;  // before that nothing has to be asked
  std::uint64_t counted_at = 0;
  std::uint32_t beyond = 0;  // points passed since the operation counted_at - 1
};

// Is this thread scheduled?
inline bool serialized(const Thread* t) {
  return g_serialized && t != nullptr && t->seat != nullptr;
}

// A duration for wait_for: none is for ever. In nanoseconds.
inline constexpr std::uint64_t kForEver = ~std::uint64_t{0};

// Waits until another thread wakes `object`; false: the time was up. kJoin: for the end of
// `joined`.
bool wait_for(Thread& t, log::Waits what, std::uint64_t object, std::uint64_t nanoseconds,
              std::uint32_t joined = log::kNoPath);
// Those that wait for `object` are ready again: the first `most` that came. Returns how many.
std::uint32_t wake(std::uint64_t object, std::uint32_t most);
inline constexpr std::uint32_t kEverybody = ~std::uint32_t{0};
// The thread has taken the lock. Those that were woken for it, and have not run since, would try in
// vain: they go on waiting.
void keep_waiting(const Thread& t, std::uint64_t lock, LockMode mode);

void give_way(Thread& t);  // sched_yield and the like

// Threads that cannot be scheduled: a team of OpenMP, whose library waits by system calls of its
// own, or a thread that was not started by an intercepted function. Ends the run.
[[noreturn]] void refuse_threads(log::LeftBecause why);

class PointsOff {  // checks in between belong to an operation whose point has been passed
 public:
  explicit PointsOff(Thread& t) : t_(t), seat_(t.seat) { t.seat = nullptr; }
  ~PointsOff() { t_.seat = seat_; }
  PointsOff(const PointsOff&) = delete;
  PointsOff& operator=(const PointsOff&) = delete;

 private:
  Thread& t_;
  Seat* seat_;
};

class OutsideScope {  // around a system call that waits for the world
 public:
  explicit OutsideScope(Thread* t);  // null: nothing happens
  ~OutsideScope();
  OutsideScope(const OutsideScope&) = delete;
  OutsideScope& operator=(const OutsideScope&) = delete;

 private:
  Thread* t_;
};

}  // namespace isosan::rt
