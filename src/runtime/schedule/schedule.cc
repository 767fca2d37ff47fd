#include "runtime/schedule/schedule.h"

#include "runtime/ownership/coordinate.h"
#include "runtime/platform/os.h"
#include "runtime/schedule/oracles.h"
#include "runtime/schedule/turn.h"
#include "runtime/schedule/world.h"

namespace isosan::rt {

bool g_serialized = false;

namespace {

using log::LeftBecause;
using log::RunState;
using log::Waits;

constexpr std::uint32_t kRepeatsOfAWait = 64;  // atomic operations on one address
constexpr std::uint64_t kPatience = 20000;     // operations, for a thread that holds a lock
constexpr std::uint32_t kIdleTurns = 20000;    // in a step, without an operation: it will not come

void stop_here(Thread& t, bool yields) {
  Seat& me = *t.seat;
  g_turn.lock.lock();
  be_inside(t, me);
  me.state = SeatState::kReady;
  Seat* next = next_to_run(me, yields);
  if (next == &me) {
    me.state = SeatState::kRunning;
    g_turn.lock.unlock();
  } else {
    change_to(t, me, next);
  }
  ++me.point.beyond;
}

// Before an operation: the turn may go to another thread.
void stop_at_point(Thread& t, const PendingOperation& pending) {
  if (t.seat == nullptr) return;
  if (run_is_broken()) end_run();
  SeatPoint& here = t.seat->point;
  if (here.counted_at != t.block->executed) {
    here.counted_at = t.block->executed;
    here.beyond = 0;
  }
  if (t.block->executed < here.run_until) {
    ++here.beyond;
    return;
  }
  const bool behind = g_turn.area->state.load(std::memory_order_relaxed) == RunState::kBehind;
  const bool time_is_up = behind && g_turn.area->policy == log::Policy::kRunOn;
  // The others may want its lock. If it always stood here when its time is up, they would never get
  // it.
  if (time_is_up && here.run_until != 0 && t.locks_held > 0 &&
      t.block->executed < here.run_until + kPatience) {
    ++here.beyond;
    return;
  }
  t.seat->pending = pending;
  stop_here(t, time_is_up);
}

bool waits_for(const Seat& seat, std::uint64_t object) {
  return seat.state == SeatState::kWaiting && seat.object == object;
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
  const bool following = g_turn.area->state.load(std::memory_order_relaxed) == RunState::kFollowing;
  if (following && ++me.idle_turns > kIdleTurns) {
    stop_run(RunState::kLeft, LeftBecause::kBlocked);
  }
  stop_here(t, true);
}

bool wait_for(Thread& t, Waits what, std::uint64_t object, std::uint64_t nanoseconds,
              std::uint32_t joined) {
  Seat& me = *t.seat;
  g_turn.lock.lock();
  be_inside(t, me);
  me.state = SeatState::kWaiting;
  me.waits = what;
  me.object = object;
  me.joined = joined;
  me.ticket = ++g_turn.tickets;
  me.deadline = nanoseconds == kForEver ? kForEver : virtual_time() + nanoseconds;
  if (closes_cycle(me)) stop_run(RunState::kDeadlock, LeftBecause::kNothing);
  Seat* next = next_to_run(me, true);
  if (next == &me) {  // its time was up at once
    me.state = SeatState::kRunning;
    g_turn.lock.unlock();
  } else {
    change_to(t, me, next);
  }
  me.woken = false;
  me.waits = Waits::kNot;
  if (keeps_signal(t)) deliver_deferred_signals(t);
  return me.in_time;
}

std::uint32_t wake(std::uint64_t object, std::uint32_t most) {
  if (!g_serialized) return 0;
  SpinGuard guard(g_turn.lock);
  std::uint32_t woken = 0;
  if (most == kEverybody) {
    for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
      if (!waits_for(*seat, object)) continue;
      make_ready(*seat, true);
      seat->woken = true;
      ++woken;
    }
    return woken;
  }
  for (; woken < most; ++woken) {
    Seat* first = nullptr;
    for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
      if (!waits_for(*seat, object)) continue;
      if (first == nullptr || seat->ticket < first->ticket) first = seat;
    }
    if (first == nullptr) break;
    make_ready(*first, true);
    first->woken = true;
  }
  return woken;
}

void keep_waiting(const Thread& t, std::uint64_t lock, LockMode mode) {
  if (!serialized(&t)) return;
  SpinGuard guard(g_turn.lock);
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (seat->state != SeatState::kReady || !seat->woken || seat->object != lock) continue;
    const bool wants_it_shared = seat->waits == Waits::kSharedLock;
    if (!wants_it_shared && seat->waits != Waits::kLock) continue;
    if (mode == LockMode::kExclusive || !wants_it_shared) seat->state = SeatState::kWaiting;
  }
}

void start_schedule(Thread& main_thread) {
  if (g_log.layout.schedule_offset == 0) return;
  char* base = reinterpret_cast<char*>(g_log.header);
  g_turn.area = reinterpret_cast<log::ScheduleArea*>(base + g_log.layout.schedule_offset);
  if (!log::fits(*g_turn.area, *g_log.header, g_log.layout.size))
    die("the schedule asked for is damaged");
  g_turn.steps = reinterpret_cast<log::Step*>(base + g_turn.area->steps_offset);
  g_turn.taken = reinterpret_cast<log::Step*>(base + g_turn.area->taken_offset);
  start_seats(*g_turn.area, base);
  start_world(*g_turn.area);
  Seat* seat = add_seat(0, main_thread);
  prepare_policy(*g_turn.area);
  seat->state = SeatState::kRunning;
  seat->tid = g_process_id;
  g_turn.running = seat;
  main_thread.seat = seat;
  g_serialized = true;
  start_oracles(*g_turn.area);
  g_operation_point = stop_at_point;
  g_atomic_point = note_atomic;
}

void stop_schedule() {
  g_serialized = false;
  stop_oracles();
  g_operation_point = nullptr;
  g_atomic_point = nullptr;
}

void new_seat(Thread& parent, Thread& child) {
  if (!serialized(&parent)) return;
  SpinGuard guard(g_turn.lock);
  const std::uint32_t path = path_of_child(*g_turn.area, *parent.seat);
  if (path == log::kNoPath) stop_run(RunState::kLeft, LeftBecause::kTooMany);
  child.seat = add_seat(path, child);
  enter_policy(*parent.seat, *child.seat);
}

void drop_seat(Thread& child) {
  if (child.seat == nullptr) return;
  SpinGuard guard(g_turn.lock);
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
  g_turn.lock.lock();
  if (g_turn.running != nullptr && g_turn.running != seat) {  // its turn was taken from it
    g_turn.lock.unlock();
    return;
  }
  Seat* next = next_to_run(*seat, true);
  if (next != nullptr) check_invariants(*seat);
  hand_over(*seat, next);
  g_turn.lock.unlock();
  if (next != nullptr) own_futex_wake(next->turn);
}

void end_seat(Thread& t) {
  if (t.seat == nullptr) return;
  SpinGuard guard(g_turn.lock);
  t.seat->end();
}

OutsideScope::OutsideScope(Thread* t) : t_(serialized(t) ? t : nullptr) {
  if (t_ == nullptr) return;
  Seat& me = *t_->seat;
  asks_world(log::kOutside);
  g_turn.lock.lock();
  be_inside(*t_, me);
  me.state = SeatState::kOutside;
  Seat* next = next_to_run(me, true);
  next == &me ? await(next) : hand_over(me, next);
  g_turn.lock.unlock();
  if (next != nullptr && next != &me) own_futex_wake(next->turn);
}

OutsideScope::~OutsideScope() {
  if (t_ == nullptr) return;
  enter_safe_point(*t_);  // the thread that has the turn may ask this one for a word
  g_turn.lock.lock();
  come_back(*t_->seat);
  leave_safe_point(*t_);
}

void refuse_threads(LeftBecause why) { stop_run(RunState::kLeft, why); }

}  // namespace isosan::rt
