// Which of the ready threads runs.
//
// run on: the running one until it blocks.
// random: any, all alike.
// PCT (Burckhardt et al., ASPLOS 2010): each thread has a random priority above those of the d - 1
//   change points. At the i-th change point, drawn from the length of the run, the running thread
//   gets priority i. A thread that yields goes below all others, so that a spinning thread starves
//   no other.
// POS (Yuan, Yang, Gu, CAV 2018): each operation has a random priority, and the highest one runs.
//   When it runs, the pending operations that conflict with it draw again: so both orders of any
//   pair of conflicting operations are likely, whatever came before them.
// SURW (selectively uniform random walk, ASPLOS 2025): the operations on one object are the
//   selected ones. A thread is meant to execute the next of them, drawn by how many of them it has
//   left; until then no other thread may execute one. All orders of the selected operations are
//   then about equally likely. Whatever else is pending runs in any order.
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
Seat* meant;  // SURW: it executes the next selected operation

bool is_ready(const Seat& seat) { return seat.state == SeatState::kReady; }

// The next one in birth order behind `me`, all round; not `held_back`.
Seat* next_ready(Seat& me, std::uint32_t held_back) {
  Seat* wrapped = nullptr;
  bool behind_me = false;
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (seat == &me) {
      behind_me = true;
    } else if (is_ready(*seat) && seat->path != held_back) {
      if (behind_me) return seat;
      if (wrapped == nullptr) wrapped = seat;
    }
  }
  return wrapped;
}

Seat* run_on(const log::ScheduleArea& area, Seat& me, bool yields) {
  if (is_ready(me) && !yields) return &me;
  if (Seat* next = next_ready(me, area.last_after)) return next;
  Seat* next = next_ready(me, log::kNoPath);
  return next != nullptr ? next : is_ready(me) ? &me : nullptr;
}

// Draws a ready thread with a probability of weight(seat) in the sum of all; null: that is 0.
template <class Weight>
Seat* draw(Weight weight) {
  std::uint64_t sum = 0;
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (is_ready(*seat)) sum += weight(*seat);
  }
  if (sum == 0) return nullptr;
  std::uint64_t chosen = next_random(random_state) % sum;
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (!is_ready(*seat)) continue;
    if (chosen < weight(*seat)) return seat;
    chosen -= weight(*seat);
  }
  return nullptr;
}

Seat* any(Seat& me, bool yields) {
  Seat* seat = draw([&](const Seat& s) { return std::uint64_t{!yields || &s != &me}; });
  return seat != nullptr ? seat : is_ready(me) ? &me : nullptr;
}

std::uint64_t random_priority() {
  return (std::uint64_t{1} << 63) | next_random(random_state) >> 1;
}

Seat* highest() {
  Seat* best = nullptr;
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (is_ready(*seat) && (best == nullptr || seat->priority > best->priority)) best = seat;
  }
  return best;
}

Seat* by_priority(Seat& me, bool yields) {
  ++points_seen;
  for (std::uint32_t i = 0; i < change_count; ++i) {
    if (changes[i] == points_seen) me.priority = lowest - kMostChanges + i;
  }
  if (yields && is_ready(me)) me.priority = lowest -= kMostChanges + 1;
  return highest();
}

bool conflict(const PendingOperation& a, const PendingOperation& b) {
  return a.address != 0 && b.address != 0 && (a.writes || b.writes) &&
         a.address < b.address + b.size && b.address < a.address + a.size;
}

Seat* by_operation(Seat& me, bool yields) {
  if (is_ready(me)) me.priority = yields ? --lowest : random_priority();
  Seat* best = highest();
  if (best == nullptr) return nullptr;
  for (Seat* seat = first_seat(); seat != nullptr; seat = seat->next) {
    if (seat != best && conflict(seat->pending, best->pending)) seat->priority = random_priority();
  }
  return best;
}

Seat* by_weight(const log::ScheduleArea& area, Seat& me, bool yields) {
  const PendingOperation object{area.object, area.object_size, true};
  const auto is_selected = [&](const Seat& s) { return conflict(s.pending, object); };
  if (meant == nullptr || !is_ready(*meant) || meant->weight == 0 || (yields && meant == &me)) {
    meant = draw([](const Seat& s) { return s.weight; });
  }
  Seat* seat = draw([&](const Seat& s) {
    return std::uint64_t{(!yields || &s != &me) && (&s == meant || !is_selected(s))};
  });
  if (seat == nullptr) return any(me, yields);
  if (seat == meant && is_selected(*seat)) {
    --seat->weight;
    meant = nullptr;
  }
  return seat;
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
  Seat& main_thread = *first_seat();
  main_thread.priority = random_priority();
  main_thread.weight = path_entry(main_thread.path).weight;
}

void enter_policy(Seat& parent, Seat& child) {
  child.priority = random_priority();
  child.weight = path_entry(child.path).weight;
  parent.weight -= child.weight < parent.weight ? child.weight : parent.weight;
}

Seat* choose_ready(const log::ScheduleArea& area, Seat& me, bool yields) {
  switch (area.policy) {
    case log::Policy::kRunOn:
      return run_on(area, me, yields);
    case log::Policy::kRandom:
      return any(me, yields);
    case log::Policy::kPct:
      return by_priority(me, yields);
    case log::Policy::kPos:
      return by_operation(me, yields);
    case log::Policy::kSurw:
      return by_weight(area, me, yields);
  }
  return nullptr;
}

}  // namespace isosan::rt
