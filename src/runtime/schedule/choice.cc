// The thread that runs next: the one that a step names, then the one that goes first behind the
// steps, then the one that the policy chooses (policy.cc).
#include "runtime/platform/os.h"
#include "runtime/schedule/turn.h"
#include "runtime/schedule/world.h"
#include "runtime/thread/safe_point.h"

namespace isosan::rt {
namespace {

using log::LeftBecause;
using log::RunState;

// After so many operations beyond the last step, a thread that runs on lets the others run: it may
// be waiting for one of them in a way that the runtime does not see.
constexpr std::uint64_t kQuantum = 20000;
constexpr std::uint32_t kLongestPause = 20000;  // microseconds

bool reached(const Seat& seat, const log::Step& step) {
  const std::uint64_t executed = seat.executed();
  if (step.beyond == log::kUnlocked) return executed >= step.until && !seat.holds_locks();
  return executed > step.until || (executed == step.until && beyond_of(seat) >= step.beyond);
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
    const std::uint64_t done = g_turn.area->steps_done.load(std::memory_order_relaxed);
    if (done >= g_turn.area->step_count) return nullptr;
    const log::Step& step = g_turn.steps[done];
    Seat* seat = seat_of_path(step.path);
    if (seat == nullptr) stop_run(RunState::kLeft, LeftBecause::kNotBorn);
    if (reached(*seat, step)) {
      g_turn.area->steps_done.store(done + 1, std::memory_order_relaxed);
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
  if (Seat* chosen = choose_ready(*g_turn.area, me, yields)) {
    if (chosen != &me || !yields) return chosen;
  }
  if (Seat* sleeper = earliest_timed()) {
    if (!anybody(SeatState::kOutside)) return time_out(*sleeper);
    // Real time goes on outside: give it a moment.
    const std::uint64_t left = (sleeper->deadline - virtual_time()) / 1000;
    const auto pause = static_cast<std::uint32_t>(left < kLongestPause ? left : kLongestPause);
    g_turn.lock.unlock();
    sleep_microseconds(pause);
    g_turn.lock.lock();
    Seat* back = choose_ready(*g_turn.area, me, yields);
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
  if (g_turn.area->state.load(std::memory_order_relaxed) != RunState::kFollowing) return nullptr;
  g_turn.area->state.store(RunState::kBehind, std::memory_order_release);  // order: turn
  Seat* first =
      g_turn.area->first_after == log::kNoPath ? nullptr : seat_of_path(g_turn.area->first_after);
  if (first == nullptr) return nullptr;
  if (is_timed(*first)) time_out(*first);
  return can_run(*first) ? first : nullptr;
}

// For a debugger: where the steps that it asked for are taken. `next` may be null.
void stop_if_asked(const Seat* next) {
  log::ScheduleArea& area = *g_turn.area;
  if (area.steps_done.load(std::memory_order_relaxed) < area.stop_after) return;
  if (area.stopped.load(std::memory_order_relaxed) != 0) return;
  const std::uint32_t tid = next == nullptr ? 0 : next->tid;
  area.stopped.store(tid != 0 ? tid : g_process_id, std::memory_order_release);  // order: turn
  stop_process(g_process_id);
}

}  // namespace

Seat* next_to_run(Seat& me, bool yields) {
  Seat* seat = next_by_step();
  const bool by_step = seat != nullptr;
  if (!by_step) seat = cross_the_cut();
  if (seat == nullptr) seat = next_by_policy(me, yields);
  if (seat != nullptr && !by_step) {
    const bool asked_always = g_turn.area->policy != log::Policy::kRunOn;
    seat->point.run_until = asked_always ? 0 : seat->executed() + kQuantum;
  }
  stop_if_asked(seat);
  return seat;
}

}  // namespace isosan::rt
