#include "predict/lock_cycles.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace isosan::predict {
namespace {

constexpr std::uint64_t kMaxSteps = 2'000'000;  // of the search for cycles
constexpr std::uint32_t kInstancesPerEdge = 4;  // in one thread, at one place, under the same locks

struct Edge {
  LockIndex from = 0, to = 0;
  LockMode held{}, wanted{};
  std::uint32_t thread = 0;
  std::uint32_t outer = 0, inner = 0;  // indices of the two acquisitions
};

class CycleSearch {
 public:
  CycleSearch(const ObservedRun& run, const SearchLimits& limits) : run_(run), limits_(limits) {}

  std::vector<Candidate> search() {
    for (std::uint32_t t = 0; t < run_.threads().size(); ++t) collect(t);
    for (const Edge& edge : edges_) by_lock_[edge.from].push_back(&edge);
    for (const Edge& edge : edges_) {
      path_ = {&edge};
      extend();
    }
    return std::move(candidates_);
  }

 private:
  using EdgeKey = std::tuple<std::uint32_t, LockIndex, LockIndex, SiteId, SiteId, StateIndex>;

  void collect(std::uint32_t thread) {
    const LockTimeline& locks = run_.threads()[thread].locks;
    std::vector<LockEvent> held;
    StateIndex state = kNoLocks;
    for (std::size_t i = 0; i < locks.event_count(); ++i) {
      const LockEvent event = locks.event(i);
      if (event.acquire) {
        for (const LockEvent& outer : held) add_edge(thread, outer, event, state);
        held.push_back(event);
      } else {
        std::erase_if(held, [&](const LockEvent& outer) { return outer.lock == event.lock; });
      }
      state = event.after;
    }
  }

  void add_edge(std::uint32_t thread, const LockEvent& outer, const LockEvent& inner,
                StateIndex state) {
    const SiteId outer_site = run_.operation(thread, outer.at).site;
    const SiteId inner_site = run_.operation(thread, inner.at).site;
    std::uint32_t& seen = seen_[{thread, outer.lock, inner.lock, outer_site, inner_site, state}];
    if (++seen > kInstancesPerEdge) return;
    edges_.push_back({outer.lock, inner.lock, outer.mode, inner.mode, thread, outer.at, inner.at});
  }

  // The path is a chain: each edge ends at the lock where the next one starts. Each cycle is found
  // once, from the edge with the least lock.
  void extend() {
    if (++steps_ > kMaxSteps) return;
    const Edge& last = *path_.back();
    if (path_.size() > 1 && last.to == path_.front()->from) {
      if (excludes(last.wanted, path_.front()->held)) close();
      return;
    }
    if (path_.size() == kMaxCycle) return;
    const auto next = by_lock_.find(last.to);
    if (next == by_lock_.end()) return;
    for (const Edge* edge : next->second) {
      if (edge->from <= path_.front()->from || !excludes(last.wanted, edge->held)) continue;
      const bool known = std::any_of(path_.begin(), path_.end(), [&](const Edge* e) {
        return e->thread == edge->thread || e->from == edge->from;
      });
      if (known) continue;
      path_.push_back(edge);
      extend();
      path_.pop_back();
    }
  }

  void close() {
    std::vector<SiteId> places;
    Candidate candidate{.pattern = Pattern::kDeadlock};
    for (const Edge* edge : path_) {
      for (const std::uint32_t i : {edge->outer, edge->inner})
        candidate.operations.push_back({run_.operations().number_of(edge->thread, i), i});
      candidate.targets.push_back({edge->thread, edge->inner, true});
      places.push_back(run_.operation(edge->thread, edge->outer).site);
      places.push_back(run_.operation(edge->thread, edge->inner).site);
    }
    std::uint64_t& kept = places_[places];
    if (limits_.per_place != 0 && kept >= limits_.per_place) return;
    if (!weave(run_, candidate.targets)) return;
    ++kept;
    candidates_.push_back(std::move(candidate));
  }

  const ObservedRun& run_;
  SearchLimits limits_;
  std::vector<Edge> edges_;
  absl::flat_hash_map<EdgeKey, std::uint32_t> seen_;
  absl::flat_hash_map<LockIndex, std::vector<const Edge*>> by_lock_;
  std::vector<const Edge*> path_;
  absl::flat_hash_map<std::vector<SiteId>, std::uint64_t> places_;
  std::vector<Candidate> candidates_;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::vector<Candidate> find_lock_cycles(const ObservedRun& run, const SearchLimits& limits) {
  return CycleSearch(run, limits).search();
}

}  // namespace isosan::predict
