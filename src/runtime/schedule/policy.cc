// Which of the ready threads runs: the running one until it blocks, a random one, or by the
// priorities of PCT (Burckhardt et al., ASPLOS 2010). PCT: each thread has a random priority above
// those of the d - 1 change points. At the i-th change point, drawn from the length of the run, the
// running thread gets priority i. A thread that yields goes below all others, so that a spinning
// thread starves no other.
#include "runtime/schedule/random.h"
#include "runtime/schedule/seats.h"

namespace isosan::rt {
namespace {

constexpr std::uint32_t kMostChanges = 64;

std::uint64_t random_state;
std::uint64_t changes[kMostChanges];  // in points
std::uint32_t change_count;
std::uint64_t points_seen;
std::uint64_t lowest;

bool is_ready(const Seat& seat) { return seat.state == SeatState::kReady; }

Seat* run_on(Seat& me, bool yields) {
  if (is_ready(me) && !yields) return &me;
  Seat* wrapped = nullptr;
  bool behind_me = false;
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (seat == &me) {
      behind_me = true;
    } else if (is_ready(*seat)) {
      if (behind_me) return seat;
      if (wrapped == nullptr) wrapped = seat;
    }
  }
  return wrapped != nullptr ? wrapped : is_ready(me) ? &me : nullptr;
}

Seat* any(Seat& me, bool yields) {
  std::uint64_t count = 0;
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    count += is_ready(*seat) && !(yields && seat == &me);
  }
  if (count == 0) return is_ready(me) ? &me : nullptr;
  std::uint64_t chosen = next_random(random_state) % count;
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (!is_ready(*seat) || (yields && seat == &me)) continue;
    if (chosen-- == 0) return seat;
  }
  return nullptr;
}

Seat* by_priority(Seat& me, bool yields) {
  ++points_seen;
  for (std::uint32_t i = 0; i < change_count; ++i) {
    if (changes[i] == points_seen) me.priority = lowest - kMostChanges + i;
  }
  if (yields && is_ready(me)) me.priority = lowest -= kMostChanges + 1;
  Seat* best = nullptr;
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (is_ready(*seat) && (best == nullptr || seat->priority > best->priority)) best = seat;
  }
  return best;
}

}  // namespace

void prepare_policy(const log::ScheduleArea& area) {
  random_state = area.seed;
  lowest = std::uint64_t{1} << 62;
  if (area.policy == log::Policy::kPct) {
    const std::uint64_t length = area.pct_length == 0 ? 1000 : area.pct_length;
    for (std::uint32_t i = 0; i + 1 < area.pct_depth && i < kMostChanges; ++i) {
      changes[change_count++] = 1 + next_random(random_state) % length;
    }
  }
  set_priority(*first_seat());
}

void set_priority(Seat& seat) {
  seat.priority = (std::uint64_t{1} << 63) | next_random(random_state) >> 1;
}

Seat* choose_ready(const log::ScheduleArea& area, Seat& me, bool yields) {
  switch (area.policy) {
    case log::Policy::kRunOn:
      return run_on(me, yields);
    case log::Policy::kRandom:
      return any(me, yields);
    case log::Policy::kPct:
      return by_priority(me, yields);
  }
  return nullptr;
}

}  // namespace isosan::rt
