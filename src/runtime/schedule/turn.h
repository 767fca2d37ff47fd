// The turn: which thread has it, how it is passed on, and what happens when the thread that has it
// does not come back. Private to schedule/; all of it needs Turn::lock unless it says otherwise.
#pragma once

#include "runtime/platform/spin_lock.h"
#include "runtime/schedule/seats.h"

namespace isosan::rt {

struct Turn {
  SpinLock lock;
  log::ScheduleArea* area = nullptr;
  log::Step* steps = nullptr;
  log::Step* taken = nullptr;
  Seat* running = nullptr;  // null: all that are left are outside
  Seat* ran_last = nullptr;
  std::uint64_t tickets = 0;
  Seat* awaited = nullptr;       // a step has given it the turn while it is outside
  Seat* watched = nullptr;       // it had the turn, has slept in the kernel since then, ...
  std::uint64_t watched_at = 0;  // ... and had executed so much
  std::uint64_t since = 0;       // of `awaited` or `watched`
  std::uint64_t last_watch = 0;
};
extern Turn g_turn;

// Points that the thread has passed since its last operation.
std::uint64_t beyond_of(const Seat& seat);

// Which thread runs next (choice.cc). Null: none can run, and that is no deadlock. `yields`: rather
// not `me`.
Seat* next_to_run(Seat& me, bool yields);

void make_ready(Seat& seat, bool in_time);

// A step waits for a thread that is outside. If the thread does not come back, the cause may be the
// other threads, which wait for their turn. Then the step cannot be taken.
void await(Seat* seat);

// The turn goes to `next`; `me` is no longer running.
void hand_over(Seat& me, Seat* next);

// Lets `next` run and comes back when it is this thread's turn again. Gives the lock up.
void change_to(Thread& t, Seat& me, Seat* next);

// Without the lock.
void wait_for_turn(Seat& me);

// Returns when the thread, which was outside, has the turn. Gives the lock up.
void come_back(Seat& me);

// At a point: the thread's turn may have been taken from it while it slept.
void be_inside(Thread& t, Seat& me);

// Ends the process, without the lock or with it.
[[noreturn]] void stop_run(log::RunState state, log::LeftBecause why);
[[noreturn]] void end_run();  // it is as it is

}  // namespace isosan::rt
