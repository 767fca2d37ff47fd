#include "singletrack_oracle.h"

#include <algorithm>
#include <map>

#include "oracle/sync_order.h"

namespace isosan::test {
namespace {

using Matrix = std::vector<std::vector<char>>;

bool renews(Kind k) { return k == Kind::kAllocate || k == Kind::kFree; }
bool covers(const Event& e, Address byte) { return e.address <= byte && byte < e.address + e.size; }

bool data_conflict(std::span<const Event> events, std::size_t e, std::size_t f) {
  const Event& a = events[e];
  const Event& b = events[f];
  if (!is_access(a.kind) || !is_access(b.kind) || (!writes(a.kind) && !writes(b.kind)))
    return false;
  for (Address byte = b.address; byte < b.address + b.size; ++byte) {
    if (!covers(a, byte)) continue;
    const bool renewed = std::any_of(
        events.begin() + static_cast<std::ptrdiff_t>(e),
        events.begin() + static_cast<std::ptrdiff_t>(f),
        [&](const Event& between) { return renews(between.kind) && covers(between, byte); });
    if (!renewed) return true;
  }
  return false;
}

bool lock_conflict(const Event& a, const Event& b) {
  const auto is_shared = [](const Event& e) { return mode_in(e.detail) == LockMode::kShared; };
  return a.kind == Kind::kRelease && b.kind == Kind::kAcquire && a.address == b.address &&
         a.depth == 0 && b.depth == 0 && !(is_shared(a) && is_shared(b));
}

bool wait_conflict(const Event& a, const Event& b) {
  const auto notified = static_cast<std::uint8_t>(WaitOutcome::kNotified);
  return a.kind == Kind::kWaitEnd && b.kind == Kind::kWaitEnd && a.address == b.address &&
         a.detail == notified && b.detail == notified;
}

// A try or a wait that gave up, and what decides that.
bool gave_up(const Event& e) {
  return e.kind == Kind::kWaitEnd && e.detail == static_cast<std::uint8_t>(WaitOutcome::kTimedOut);
}
bool decides(const Event& e) {
  const bool lock = (e.kind == Kind::kAcquire || e.kind == Kind::kRelease) && e.depth == 0;
  return lock || e.kind == Kind::kNotify || e.kind == Kind::kBarrierArrive ||
         e.kind == Kind::kPublish || e.kind == Kind::kOnceDone;
}
bool given_up_conflict(const Event& a, const Event& b) {
  return a.address == b.address && ((gave_up(a) && decides(b)) || (decides(a) && gave_up(b)));
}

bool barrier_conflict(const Event& a, const Event& b) {  // size: the generation
  return a.kind == Kind::kBarrierArrive && b.kind == Kind::kBarrierArrive &&
         a.address == b.address && a.size != b.size;
}

// Synchronization that is the same in every schedule; the rest is made to mean nothing.
std::vector<Event> without_chance(std::span<const Event> events) {
  std::vector<Event> kept(events.begin(), events.end());
  for (Event& e : kept) {
    const bool chance = e.kind == Kind::kAcquire || e.kind == Kind::kRelease ||
                        e.kind == Kind::kNotify || e.kind == Kind::kWaitEnd;
    if (chance) e.kind = Kind::kCall;
  }
  return kept;
}

Matrix closure(std::span<const Event> events, const std::vector<std::vector<std::size_t>>& after) {
  Matrix before(events.size(), std::vector<char>(events.size(), 0));
  std::map<ThreadId, std::size_t> last;
  for (std::size_t f = 0; f < events.size(); ++f) {
    std::vector<std::size_t> direct = after[f];
    if (const auto previous = last.find(events[f].thread); previous != last.end()) {
      direct.push_back(previous->second);
    }
    last[events[f].thread] = f;
    for (const std::size_t e : direct) {
      for (std::size_t d = 0; d < f; ++d) {
        if (d == e || before[d][e]) before[d][f] = 1;
      }
    }
  }
  return before;
}

bool has_cycle(std::size_t nodes, const std::set<std::pair<std::size_t, std::size_t>>& edges) {
  Matrix reach(nodes, std::vector<char>(nodes, 0));
  for (const auto& [a, b] : edges) reach[a][b] = 1;
  for (std::size_t k = 0; k < nodes; ++k) {
    for (std::size_t i = 0; i < nodes; ++i) {
      for (std::size_t j = 0; reach[i][k] && j < nodes; ++j) reach[i][j] |= reach[k][j];
    }
  }
  for (std::size_t i = 0; i < nodes; ++i) {
    if (reach[i][i]) return true;
  }
  return false;
}

// Transactions are the outermost blocks, and unary ones.
bool cyclic(std::span<const Event> events, const std::vector<std::vector<std::size_t>>& blocks) {
  const auto node = [&](std::size_t e) {  // a block is known by its begin, so is a unary one
    return blocks[e].empty() ? e : blocks[e].front();
  };
  std::set<std::pair<std::size_t, std::size_t>> edges;
  const auto sync = sync_order(events);
  std::map<ThreadId, std::size_t> last;
  for (std::size_t f = 0; f < events.size(); ++f) {
    const auto comes_after = [&](std::size_t e) {
      if (node(e) != node(f)) edges.emplace(node(e), node(f));
    };
    for (const std::size_t e : sync[f]) comes_after(e);
    for (std::size_t e = 0; e < f; ++e) {
      if (data_conflict(events, e, f)) comes_after(e);
    }
    if (const auto previous = last.find(events[f].thread); previous != last.end()) {
      comes_after(previous->second);
    }
    last[events[f].thread] = f;
  }
  return has_cycle(events.size(), edges);
}

}  // namespace

bool conflict_inside(std::span<const Event> events, std::size_t first, std::size_t second) {
  return data_conflict(events, first, second) || lock_conflict(events[first], events[second]) ||
         wait_conflict(events[first], events[second]) ||
         given_up_conflict(events[first], events[second]) ||
         barrier_conflict(events[first], events[second]);
}

std::vector<std::vector<std::size_t>> blocks_of_events(std::span<const Event> events) {
  struct Thread {
    std::vector<std::size_t> path;
    std::size_t inherited = 0;
  };
  std::map<ThreadId, Thread> threads;
  std::vector<std::vector<std::size_t>> result;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& e = events[i];
    Thread& t = threads[e.thread];
    const bool block = e.detail == static_cast<std::uint8_t>(RegionKind::kDeterministic);
    if (e.kind == Kind::kBegin && block) t.path.push_back(i);
    result.push_back(t.path);
    if (e.kind == Kind::kEnd && block && t.path.size() > t.inherited) t.path.pop_back();
    if (e.kind == Kind::kFork) {
      const std::vector<std::size_t> path = t.path;
      threads[ThreadId{static_cast<std::uint32_t>(e.address)}] = {path, path.size()};
    }
  }
  return result;
}

DeterminismVerdict judge_determinism(std::span<const Event> events) {
  DeterminismVerdict verdict;
  const auto blocks = blocks_of_events(events);
  const Matrix inside = closure(events, sync_order(without_chance(events)));
  for (std::size_t f = 0; f < events.size(); ++f) {
    for (std::size_t e = 0; e < f; ++e) {
      if (events[e].thread == events[f].thread || inside[e][f]) continue;
      if (!conflict_inside(events, e, f)) continue;
      for (const std::size_t block : blocks[f]) {
        if (std::find(blocks[e].begin(), blocks[e].end(), block) != blocks[e].end()) {
          verdict.conflicting_blocks.insert(block);
        }
      }
    }
  }
  verdict.cyclic = cyclic(events, blocks);
  return verdict;
}

}  // namespace isosan::test
