#include "differential/reduction.h"

#include <random>
#include <utility>

#include "analysis/atomizer/atomizer.h"
#include "event/finding_sink.h"
#include "runtime/contract/log_format.h"

namespace isosan::test {
namespace {

bool warns(const std::vector<Event>& events) {
  FindingSink sink;
  Atomizer atomizer(sink, {});
  feed(atomizer, events, 0);
  atomizer.finish();
  return !sink.findings().empty();
}

bool writes(const Event& e) { return e.kind != Kind::kRead && e.kind != Kind::kAtomicLoad; }

bool synchronizes(Kind kind) {
  return !is_access(kind) && kind != Kind::kBegin && kind != Kind::kEnd;
}

bool is_shared_hold(const Event& e) {
  const bool lock = e.kind == Kind::kAcquire || e.kind == Kind::kRelease;
  return lock && static_cast<LockMode>(e.detail) == LockMode::kShared;
}

// No thread's order changes, nor that of synchronization that orders.
bool may_change_places(const Event& a, const Event& b) {
  if (a.thread == b.thread) return false;
  if (is_shared_hold(a) && is_shared_hold(b)) return true;
  if (!is_access(a.kind) || !is_access(b.kind)) {
    return !synchronizes(a.kind) || !synchronizes(b.kind);
  }
  const bool apart = a.address + a.size <= b.address || b.address + b.size <= a.address;
  return apart || (!writes(a) && !writes(b));
}

// What may, comes in the order of its threads' ranks.
void rank(std::vector<Event>& events, std::mt19937_64& random) {
  const std::uint64_t key = random();
  const auto rank_of = [&](const Event& e) { return (index(e.thread) + 1) * key >> 32; };
  for (std::size_t pass = 0; pass < events.size(); ++pass) {
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
      const bool wrong = rank_of(events[i + 1]) < rank_of(events[i]);
      if (wrong && may_change_places(events[i], events[i + 1])) std::swap(events[i], events[i + 1]);
    }
  }
}

}  // namespace

std::optional<bool> warns_in_every_order(std::vector<Event> events, std::uint64_t seed) {
  constexpr int kOrders = 20;
  std::mt19937_64 random(seed);
  const bool verdict = warns(events);
  for (int order = 0; order < kOrders; ++order) {
    rank(events, random);
    if (warns(events) != verdict) return std::nullopt;
  }
  return verdict;
}

}  // namespace isosan::test
