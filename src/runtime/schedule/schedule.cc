#include "runtime/schedule/schedule.h"

#include <errno.h>
#include <signal.h>

#include "runtime/ownership/coordinate.h"
#include "runtime/platform/check.h"
#include "runtime/platform/os.h"
#include "runtime/platform/pool.h"
#include "runtime/platform/spin_lock.h"
#include "runtime/schedule/seats.h"
#include "runtime/schedule/world.h"

namespace isosan::rt {

bool g_serialized = false;

namespace {

void note_outside() { asks_world(log::kOutside); }

using log::LeftBecause;
using log::RunState;
using log::Waits;

// After so many operations beyond the last step, a thread that runs on lets the others run: it may
// be waiting for one of them in a way that the runtime does not see.
constexpr std::uint64_t kQuantum = 20000;
constexpr std::uint32_t kRepeatsOfAWait = 64;   // atomic operations on one address
constexpr std::uint32_t kIdleTurns = 20000;     // in a step, without an operation: it will not come
constexpr std::uint32_t kLongestPause = 20000;  // microseconds
// Threads that wait for their turn look after the one that has it, so often ...
constexpr std::uint32_t kWatchMilliseconds = 200;
constexpr std::uint64_t kGrace = 1000000;  // ... and have so much patience, in microseconds

SpinLock seats_lock;
log::ScheduleArea* area;
log::Step* steps;
log::Step* taken;
Seat* running;  // null: all that are left are outside
Seat* ran_last;
std::uint64_t tickets;
Seat* awaited;  // a step has given it the turn while it is outside
Seat* watched;  // it had the turn, had executed so much, and slept in the kernel since then
std::uint64_t watched_at;
std::uint64_t since;  // of `awaited` or `watched`
std::uint64_t last_watch;

std::uint64_t beyond_of(const Seat& seat) {
  return seat.point.counted_at == seat.executed() ? seat.point.beyond : 0;
}

bool reached(const Seat& seat, const log::Step& step) {
  const std::uint64_t executed = seat.executed();
  return executed > step.until || (executed == step.until && beyond_of(seat) >= step.beyond);
}

void tell_where_everybody_stands() {
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    log::PathEntry& entry = path_entry(seat->path);
    entry.executed = seat->executed();
    entry.object = seat->object;
    const Seat* blocker = blocker_of(*seat);
    entry.blocker = blocker == nullptr ? log::kNoPath : path_entry(blocker->path).thread;
    entry.waits = seat->state == SeatState::kEnded     ? Waits::kEnded
                  : seat->state == SeatState::kOutside ? Waits::kOutside
                  : seat->state == SeatState::kWaiting ? seat->waits
                                                       : Waits::kNot;
  }
}

[[noreturn]] void stop_run(RunState state, LeftBecause why) {
  tell_where_everybody_stands();
  area->why = why;
  area->state.store(state, std::memory_order_release);
  exit_at_once(69);
}

void record_change(const Seat& from) {
  const std::uint64_t n = area->taken.load(std::memory_order_relaxed);
  if (n < area->max_taken) {
    taken[n] = {from.executed(), from.path, static_cast<std::uint32_t>(beyond_of(from))};
  }
  area->taken.store(n + 1, std::memory_order_release);
}

void make_ready(Seat& seat, bool in_time) {
  seat.state = SeatState::kReady;
  seat.waits = Waits::kNot;
  seat.in_time = in_time;
}

bool is_timed(const Seat& seat) {
  return seat.state == SeatState::kWaiting && seat.deadline != kForEver;
}

// Its time is up.
Seat* time_out(Seat& seat) {
  let_time_pass(seat.deadline);
  make_ready(seat, false);
  return &seat;
}

// The thread that has to run for the next step not taken yet; null: there is none.
Seat* next_by_step() {
  for (;;) {
    const std::uint64_t done = area->steps_done.load(std::memory_order_relaxed);
    if (done >= area->step_count) return nullptr;
    const log::Step& step = steps[done];
    Seat* seat = seat_of_path(step.path);
    if (seat == nullptr) stop_run(RunState::kLeft, LeftBecause::kNotBorn);
    if (reached(*seat, step)) {
      area->steps_done.store(done + 1, std::memory_order_relaxed);
      continue;
    }
    if (seat->state == SeatState::kEnded) stop_run(RunState::kLeft, LeftBecause::kEnded);
    if (is_timed(*seat)) time_out(*seat);
    if (seat->state == SeatState::kWaiting) stop_run(RunState::kLeft, LeftBecause::kBlocked);
    seat->point.run_until = step.until;
    return seat;
  }
}

bool can_run(const Seat& seat) { return seat.state == SeatState::kReady; }

Seat* earliest_timed() {
  Seat* best = nullptr;
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (is_timed(*seat) && (best == nullptr || seat->deadline < best->deadline)) best = seat;
  }
  return best;
}

bool anybody(SeatState state) {
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (seat->state == state) return true;
  }
  return false;
}

// The thread that runs where no step says so. `me` is ready if it may go on; `yields`: it would
// rather not.
Seat* next_by_policy(Seat& me, bool yields) {
  if (Seat* chosen = choose_ready(*area, me, yields)) {
    if (chosen != &me || !yields) return chosen;
  }
  if (Seat* sleeper = earliest_timed()) {
    if (!anybody(SeatState::kOutside)) return time_out(*sleeper);
    // Real time goes on outside: give it a moment.
    const std::uint64_t left = (sleeper->deadline - virtual_time()) / 1000;
    const auto pause = static_cast<std::uint32_t>(left < kLongestPause ? left : kLongestPause);
    seats_lock.unlock();
    sleep_microseconds(pause);
    seats_lock.lock();
    Seat* back = choose_ready(*area, me, yields);
    return back != nullptr ? back : is_timed(*sleeper) ? time_out(*sleeper) : &me;
  }
  if (can_run(me)) return &me;
  if (anybody(SeatState::kOutside)) return nullptr;
  if (!anybody(SeatState::kWaiting)) return nullptr;  // all have ended
  if (program_handles_signals()) return nullptr;      // a handler may let one of them go on
  stop_run(RunState::kDeadlock, LeftBecause::kNothing);
}

// The steps are over: the thread that the schedule names goes first, once.
Seat* cross_the_cut() {
  if (area->state.load(std::memory_order_relaxed) != RunState::kFollowing) return nullptr;
  area->state.store(RunState::kBehind, std::memory_order_release);
  if (area->stop_at_cut != 0) send_process_signal(g_process_id, SIGSTOP);
  Seat* first = area->first_after == log::kNoPath ? nullptr : seat_of_path(area->first_after);
  if (first == nullptr) return nullptr;
  if (is_timed(*first)) time_out(*first);
  return can_run(*first) ? first : nullptr;
}

Seat* next_to_run(Seat& me, bool yields) {
  if (Seat* seat = next_by_step()) return seat;
  Seat* seat = cross_the_cut();
  if (seat == nullptr) seat = next_by_policy(me, yields);
  if (seat != nullptr) {
    const bool asked_always = area->policy != log::Policy::kRunOn;
    seat->point.run_until = asked_always ? 0 : seat->executed() + kQuantum;
  }
  return seat;
}

// With the lock. A step waits for a thread that is outside. If the thread does not come back, the
// cause may be the other threads, which wait for their turn. Then the step cannot be taken
// (watch()).
void await(Seat* seat) {
  awaited = seat;
  since = microseconds_now();
  area->why = LeftBecause::kOutside;
}
void await_no_longer(const Seat& seat) {
  if (awaited != &seat) return;
  awaited = nullptr;
  area->why = LeftBecause::kNothing;
}

// With the lock. The turn goes to `next`; `me` is no longer running.
void hand_over(Seat& me, Seat* next) {
  ISOSAN_CHECK(next == nullptr || next->state != SeatState::kEnded);
  running = next;
  ran_last = &me;
  if (next == nullptr) return;
  record_change(me);
  if (next->state == SeatState::kOutside) await(next);
  if (next->state == SeatState::kReady) next->state = SeatState::kRunning;
  area->running.store(next->path, std::memory_order_relaxed);
  if (me.state == SeatState::kEnded && me.tid != g_process_id) next->after_tid = me.tid;
  next->turn.store(1, std::memory_order_release);
}

// The last of a thread's memory is released after the thread has left our code: wait until it is
// gone.
void wait_until_gone(std::uint32_t& tid) {
  if (tid == 0) return;
  for (int i = 0; i < 2000 && thread_exists(g_process_id, tid); ++i) sleep_microseconds(20);
  tid = 0;
}

// With the lock: has the thread with the turn slept in the kernel for long, in a call that is not
// intercepted? It may wait there for another thread.
bool sleeps_with_turn() {
  Seat* seat = running;
  if (seat == nullptr || seat->state != SeatState::kRunning || seat->tid == 0) return false;
  const bool still = watched == seat && watched_at == seat->executed();
  if (!thread_sleeps(seat->tid) || !still) {
    watched = seat;
    watched_at = seat->executed();
    since = microseconds_now();
    return false;
  }
  return microseconds_now() - since >= kGrace;
}

// Called now and then by a thread that waits for its turn. Returns the thread to wake.
Seat* watch() {
  SpinGuard guard(seats_lock);
  if (microseconds_now() - last_watch < kWatchMilliseconds * 500) return nullptr;  // by another one
  last_watch = microseconds_now();
  if (awaited != nullptr) {
    if (microseconds_now() - since >= kGrace) stop_run(RunState::kLeft, LeftBecause::kOutside);
    return nullptr;
  }
  if (!sleeps_with_turn()) return nullptr;
  Seat& asleep = *running;
  asleep.state = SeatState::kOutside;
  asleep.point.run_until = 0;  // it asks at its next point
  watched = nullptr;
  note_outside();
  Seat* next = next_to_run(asleep, true);
  if (next == &asleep) {
    await(next);
    return nullptr;
  }
  hand_over(asleep, next);
  return next;
}

// With the lock: the thread, which is not running, may run now.
void be_ready(Seat& me) {
  if (running != nullptr) {
    me.state = SeatState::kReady;
    return;
  }
  if (ran_last != &me) record_change(*ran_last);
  running = &me;
  area->running.store(me.path, std::memory_order_relaxed);
  me.turn.store(1, std::memory_order_relaxed);
}

// A signal came to a thread that waits. Its handler runs when the thread has the turn, and then the
// thread tries again to get what it waits for.
void end_wait_for_handler(Seat& me) {
  const auto* t = me.block == nullptr ? nullptr : reinterpret_cast<Thread*>(me.block->runtime);
  if (t == nullptr || !keeps_signal(*t)) return;
  SpinGuard guard(seats_lock);
  if (me.state != SeatState::kWaiting) return;
  make_ready(me, true);
  be_ready(me);
}

void wait_for_turn(Seat& me) {
  while (me.turn.load(std::memory_order_acquire) == 0) {
    own_futex_wait(me.turn, 0, kWatchMilliseconds);
    if (me.turn.load(std::memory_order_acquire) != 0) break;
    end_wait_for_handler(me);
    Seat* next = watch();
    if (next != nullptr && next != &me) own_futex_wake(next->turn);
  }
  me.turn.store(0, std::memory_order_relaxed);
  me.state = SeatState::kRunning;
  wait_until_gone(me.after_tid);
}

// With the lock; gives it up. Returns when the thread, which was outside, has the turn.
void come_back(Seat& me) {
  await_no_longer(me);
  if (running == &me) {  // a step waited for it
    me.turn.store(1, std::memory_order_relaxed);
  } else {
    be_ready(me);
  }
  seats_lock.unlock();
  wait_for_turn(me);
}

// With the lock, at a point: the thread's turn may have been taken from it while it slept.
void be_inside(Thread& t, Seat& me) {
  if (me.state != SeatState::kOutside) return;
  enter_safe_point(t);
  come_back(me);
  leave_safe_point(t);
  seats_lock.lock();
}

// Lets `next` run and comes back when it is this thread's turn again. With the lock; gives it up.
void change_to(Thread& t, Seat& me, Seat* next) {
  enter_safe_point(t);
  hand_over(me, next);
  seats_lock.unlock();
  if (next != nullptr) own_futex_wake(next->turn);
  wait_for_turn(me);
  leave_safe_point(t);
}

void stop_here(Thread& t, bool yields) {
  Seat& me = *t.seat;
  seats_lock.lock();
  be_inside(t, me);
  me.state = SeatState::kReady;
  Seat* next = next_to_run(me, yields);
  if (next == &me) {
    me.state = SeatState::kRunning;
    seats_lock.unlock();
  } else {
    change_to(t, me, next);
  }
  ++me.point.beyond;
}

// Before an operation: the turn may go to another thread.
void stop_at_point(Thread& t) {
  if (t.seat == nullptr) return;
  SeatPoint& here = t.seat->point;
  if (here.counted_at != t.block->executed) {
    here.counted_at = t.block->executed;
    here.beyond = 0;
  }
  if (t.block->executed < here.run_until) {
    ++here.beyond;
    return;
  }
  const bool behind = area->state.load(std::memory_order_relaxed) == RunState::kBehind;
  stop_here(t, behind && area->policy == log::Policy::kRunOn);
}

// An atomic operation that is repeated again and again waits for another thread, and lets it run.
void note_atomic(Thread& t, std::uint64_t address) {
  if (t.seat == nullptr) return;
  Seat& me = *t.seat;
  const bool again = me.last_atomic == address && t.block->executed <= me.last_atomic_at + 1;
  me.repeats = again ? me.repeats + 1 : 0;
  me.last_atomic = address;
  me.last_atomic_at = t.block->executed;
  if (me.repeats >= kRepeatsOfAWait) {
    me.repeats = 0;
    give_way(t);
  }
}

}  // namespace

void give_way(Thread& t) {
  Seat& me = *t.seat;
  if (me.point.counted_at != t.block->executed) {
    me.point.counted_at = t.block->executed;
    me.point.beyond = 0;
    me.idle_turns = 0;
  }
  const bool following = area->state.load(std::memory_order_relaxed) == RunState::kFollowing;
  if (following && ++me.idle_turns > kIdleTurns) {
    stop_run(RunState::kLeft, LeftBecause::kBlocked);
  }
  stop_here(t, true);
}

bool wait_for(Thread& t, Waits what, std::uint64_t object, std::uint64_t nanoseconds,
              std::uint32_t joined) {
  Seat& me = *t.seat;
  seats_lock.lock();
  be_inside(t, me);
  me.state = SeatState::kWaiting;
  me.waits = what;
  me.object = object;
  me.joined = joined;
  me.ticket = ++tickets;
  me.deadline = nanoseconds == kForEver ? kForEver : virtual_time() + nanoseconds;
  if (closes_cycle(me)) stop_run(RunState::kDeadlock, LeftBecause::kNothing);
  Seat* next = next_to_run(me, true);
  if (next == &me) {  // its time was up at once
    me.state = SeatState::kRunning;
    seats_lock.unlock();
  } else {
    change_to(t, me, next);
  }
  if (keeps_signal(t)) deliver_deferred_signals(t);
  return me.in_time;
}

std::uint32_t wake(std::uint64_t object, std::uint32_t most) {
  if (!g_serialized) return 0;
  SpinGuard guard(seats_lock);
  std::uint32_t woken = 0;
  for (; woken < most; ++woken) {
    Seat* first = nullptr;
    for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
      if (seat->state != SeatState::kWaiting || seat->object != object) continue;
      if (first == nullptr || seat->ticket < first->ticket) first = seat;
    }
    if (first == nullptr) break;
    make_ready(*first, true);
  }
  return woken;
}

void start_schedule(Thread& main_thread) {
  if (g_log.layout.schedule_offset == 0) return;
  char* base = reinterpret_cast<char*>(g_log.header);
  area = reinterpret_cast<log::ScheduleArea*>(base + g_log.layout.schedule_offset);
  if (!log::fits(*area, *g_log.header, g_log.layout.size)) die("the schedule asked for is damaged");
  steps = reinterpret_cast<log::Step*>(base + area->steps_offset);
  taken = reinterpret_cast<log::Step*>(base + area->taken_offset);
  start_seats(*area, base);
  start_world(*area);
  Seat* seat = add_seat(0, main_thread);
  prepare_policy(*area);
  seat->state = SeatState::kRunning;
  seat->tid = g_process_id;
  running = seat;
  main_thread.seat = seat;
  g_serialized = true;
  g_operation_point = stop_at_point;
  g_atomic_point = note_atomic;
}

void stop_schedule() {
  g_serialized = false;
  g_operation_point = nullptr;
  g_atomic_point = nullptr;
}

void new_seat(Thread& parent, Thread& child) {
  if (!serialized(&parent)) return;
  SpinGuard guard(seats_lock);
  const std::uint32_t path = path_of_child(*area, *parent.seat);
  if (path == log::kNoPath) return;
  child.seat = add_seat(path, child);
  set_priority(*child.seat);
}

void drop_seat(Thread& child) {
  if (child.seat == nullptr) return;
  SpinGuard guard(seats_lock);
  child.seat->end();
  child.seat = nullptr;
}

void take_seat(Thread& t) {
  if (t.seat == nullptr) return;
  t.seat->tid = thread_id();
  wait_for_turn(*t.seat);
}

void leave_seat(Seat* seat, std::uint64_t joined_by) {
  if (seat == nullptr || !g_serialized) return;
  wake(joined_by, kEverybody);
  seats_lock.lock();
  if (running != nullptr && running != seat) {  // its turn was taken from it
    seats_lock.unlock();
    return;
  }
  Seat* next = next_to_run(*seat, true);
  hand_over(*seat, next);
  seats_lock.unlock();
  if (next != nullptr) own_futex_wake(next->turn);
}

void end_seat(Thread& t) {
  if (t.seat == nullptr) return;
  SpinGuard guard(seats_lock);
  t.seat->end();
}

OutsideScope::OutsideScope(Thread* t) : t_(serialized(t) ? t : nullptr) {
  if (t_ == nullptr) return;
  Seat& me = *t_->seat;
  note_outside();
  seats_lock.lock();
  be_inside(*t_, me);
  me.state = SeatState::kOutside;
  Seat* next = next_to_run(me, true);
  next == &me ? await(next) : hand_over(me, next);
  seats_lock.unlock();
  if (next != nullptr && next != &me) own_futex_wake(next->turn);
}

OutsideScope::~OutsideScope() {
  if (t_ == nullptr) return;
  seats_lock.lock();
  come_back(*t_->seat);
}

void refuse_threads(LeftBecause why) { stop_run(RunState::kLeft, why); }

}  // namespace isosan::rt
