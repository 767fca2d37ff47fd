#include "runtime/schedule/turn.h"

#include "runtime/ownership/coordinate.h"
#include "runtime/platform/check.h"
#include "runtime/platform/os.h"
#include "runtime/schedule/oracles.h"
#include "runtime/schedule/world.h"

namespace isosan::rt {

constinit Turn g_turn;

namespace {

using log::LeftBecause;
using log::RunState;
using log::Waits;

// Threads that wait for their turn look after the one that has it, so often ...
constexpr std::uint32_t kWatchMilliseconds = 200;
constexpr std::uint64_t kGrace = 1000000;  // ... and have so much patience, in microseconds

void publish_states() {
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

void record_change(const Seat& from) {
  const std::uint64_t n = g_turn.area->taken.load(std::memory_order_relaxed);
  if (n < g_turn.area->max_taken) {
    g_turn.taken[n] = {from.executed(), from.path, static_cast<std::uint32_t>(beyond_of(from))};
  }
  g_turn.area->taken.store(n + 1, std::memory_order_release);  // order: table
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
  Seat* seat = g_turn.running;
  if (seat == nullptr || seat->state != SeatState::kRunning || seat->tid == 0) return false;
  const bool still = g_turn.watched == seat && g_turn.watched_at == seat->executed();
  if (!thread_sleeps(seat->tid) || !still) {
    g_turn.watched = seat;
    g_turn.watched_at = seat->executed();
    g_turn.since = microseconds_now();
    return false;
  }
  return microseconds_now() - g_turn.since >= kGrace;
}

// Called now and then by a thread that waits for its turn. Returns the thread to wake.
Seat* watch() {
  SpinGuard guard(g_turn.lock);
  if (microseconds_now() - g_turn.last_watch < kWatchMilliseconds * 500)
    return nullptr;  // by another one
  g_turn.last_watch = microseconds_now();
  if (g_turn.awaited != nullptr) {
    if (microseconds_now() - g_turn.since >= kGrace)
      stop_run(RunState::kLeft, LeftBecause::kOutside);
    return nullptr;
  }
  if (!sleeps_with_turn()) return nullptr;
  Seat& asleep = *g_turn.running;
  asleep.state = SeatState::kOutside;
  asleep.point.run_until = 0;  // it asks at its next point
  g_turn.watched = nullptr;
  asks_world(log::kOutside);
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
  if (g_turn.running != nullptr) {
    me.state = SeatState::kReady;
    return;
  }
  if (g_turn.ran_last != &me) record_change(*g_turn.ran_last);
  g_turn.running = &me;
  g_turn.area->running.store(me.path, std::memory_order_relaxed);
  me.turn.store(1, std::memory_order_relaxed);
}

// A signal came to a thread that waits. Its handler runs when the thread has the turn, and then the
// thread tries again to get what it waits for.
void end_wait_for_handler(Seat& me) {
  const auto* t = me.block == nullptr ? nullptr : reinterpret_cast<Thread*>(me.block->runtime);
  if (t == nullptr || !keeps_signal(*t)) return;
  SpinGuard guard(g_turn.lock);
  if (me.state != SeatState::kWaiting) return;
  make_ready(me, true);
  be_ready(me);
}

}  // namespace

std::uint64_t beyond_of(const Seat& seat) {
  return seat.point.counted_at == seat.executed() ? seat.point.beyond : 0;
}

[[noreturn]] void stop_run(RunState state, LeftBecause why) {
  g_turn.area->why = why;
  g_turn.area->state.store(state, std::memory_order_release);  // order: turn
  end_run();
}

[[noreturn]] void end_run() {
  publish_states();
  exit_at_once(69);
}

void make_ready(Seat& seat, bool in_time) {
  seat.state = SeatState::kReady;
  seat.woken = false;
  seat.in_time = in_time;
}

void await(Seat* seat) {
  g_turn.awaited = seat;
  g_turn.since = microseconds_now();
  g_turn.area->why = LeftBecause::kOutside;
}
static void await_no_longer(const Seat& seat) {
  if (g_turn.awaited != &seat) return;
  g_turn.awaited = nullptr;
  g_turn.area->why = LeftBecause::kNothing;
}

void hand_over(Seat& me, Seat* next) {
  ISOSAN_CHECK(next == nullptr || next->state != SeatState::kEnded);
  g_turn.running = next;
  g_turn.ran_last = &me;
  if (next == nullptr) return;
  record_change(me);
  if (next->state == SeatState::kOutside) await(next);
  if (next->state == SeatState::kReady) next->state = SeatState::kRunning;
  g_turn.area->running.store(next->path, std::memory_order_relaxed);
  if (me.state == SeatState::kEnded && me.tid != g_process_id) next->after_tid = me.tid;
  next->turn.store(1, std::memory_order_release);  // order: turn
}

void wait_for_turn(Seat& me) {
  while (me.turn.load(std::memory_order_acquire) == 0) {  // order: turn
    own_futex_wait(me.turn, 0, kWatchMilliseconds);
    if (me.turn.load(std::memory_order_acquire) != 0) break;  // order: turn
    end_wait_for_handler(me);
    Seat* next = watch();
    if (next != nullptr && next != &me) own_futex_wake(next->turn);
  }
  me.turn.store(0, std::memory_order_relaxed);
  ISOSAN_CHECK(g_turn.running == &me);  // one thread at a time
  me.state = SeatState::kRunning;
  wait_until_gone(me.after_tid);
}

void come_back(Seat& me) {
  await_no_longer(me);
  if (g_turn.running == &me) {  // a step waited for it
    me.turn.store(1, std::memory_order_relaxed);
  } else {
    be_ready(me);
  }
  g_turn.lock.unlock();
  wait_for_turn(me);
}

void be_inside(Thread& t, Seat& me) {
  if (me.state != SeatState::kOutside) return;
  enter_safe_point(t);
  come_back(me);
  leave_safe_point(t);
  g_turn.lock.lock();
}

void change_to(Thread& t, Seat& me, Seat* next) {
  check_invariants(me);
  enter_safe_point(t);
  hand_over(me, next);
  g_turn.lock.unlock();
  if (next != nullptr) own_futex_wake(next->turn);
  wait_for_turn(me);
  leave_safe_point(t);
}

}  // namespace isosan::rt
