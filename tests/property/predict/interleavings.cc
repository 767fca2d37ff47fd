#include "property/predict/interleavings.h"

#include <algorithm>
#include <map>

#include "event/schedule.h"

namespace isosan::test {
namespace {

bool accesses(Kind kind) {
  return kind == Kind::kRead || kind == Kind::kWrite || kind == Kind::kAtomicLoad ||
         kind == Kind::kAtomicStore || kind == Kind::kAtomicRmw;
}
bool only_reads(Kind kind) { return kind == Kind::kRead || kind == Kind::kAtomicLoad; }

// Locks held after each number of operations: lock -> exclusive?
using Held = std::map<Address, bool>;
std::vector<Held> held_after(const std::vector<OracleOperation>& operations) {
  std::vector<Held> result{{}};
  for (const OracleOperation& o : operations) {
    Held held = result.back();
    if (o.event.depth == 0 && o.event.kind == Kind::kAcquire) {
      held[o.event.address] = mode_in(o.event.detail) == LockMode::kExclusive;
    }
    if (o.event.depth == 0 && o.event.kind == Kind::kRelease) held.erase(o.event.address);
    result.push_back(held);
  }
  return result;
}

bool can_be_held_together(const Held& a, const Held& b) {
  return std::none_of(a.begin(), a.end(), [&](const auto& lock) {
    const auto other = b.find(lock.first);
    return other != b.end() && (lock.second || other->second);
  });
}

}  // namespace

std::vector<std::vector<OracleOperation>> operations_of(std::span<const Event> events) {
  std::vector<std::vector<OracleOperation>> result;
  std::map<ThreadId, std::vector<std::size_t>> open;
  std::size_t regions = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& e = events[i];
    if (index(e.thread) >= result.size()) result.resize(index(e.thread) + 1);
    const bool atomic = e.detail == static_cast<std::uint8_t>(RegionKind::kAtomic);
    if (e.kind == Kind::kBegin && atomic) open[e.thread].push_back(regions++);
    if (e.kind == Kind::kEnd && atomic) open[e.thread].pop_back();
    if (is_operation(e.kind)) result[index(e.thread)].push_back({e, i, open[e.thread]});
  }
  return result;
}

Interleavings::Interleavings(const std::vector<OracleOperation>& first,
                             const std::vector<OracleOperation>& second)
    : reachable_(first.size() + 1, std::vector<bool>(second.size() + 1)) {
  const std::vector<Held> held1 = held_after(first), held2 = held_after(second);
  for (std::size_t i = 0; i <= first.size(); ++i) {
    for (std::size_t j = 0; j <= second.size(); ++j) {
      if (!can_be_held_together(held1[i], held2[j])) continue;
      reachable_[i][j] =
          (i == 0 && j == 0) || (i > 0 && reachable_[i - 1][j]) || (j > 0 && reachable_[i][j - 1]);
    }
  }
}

bool share_a_byte(const Event& a, const Event& b, const Event& c) {
  if (!accesses(a.kind) || !accesses(b.kind) || !accesses(c.kind)) return false;
  const Address low = std::max({a.address, b.address, c.address});
  const Address high = std::min({a.address + a.size, b.address + b.size, c.address + c.size});
  return low < high;
}

bool of_one_region(const OracleOperation& a, const OracleOperation& b) {
  return std::any_of(a.regions.begin(), a.regions.end(), [&](std::size_t region) {
    return std::find(b.regions.begin(), b.regions.end(), region) != b.regions.end();
  });
}

bool is_pattern(const Event& e1, const Event& f, const Event& e2) {
  if (!only_reads(f.kind)) return true;
  return !only_reads(e1.kind) && !only_reads(e2.kind);
}

}  // namespace isosan::test
