#include "predict/cut_points.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>

#include "absl/container/inlined_vector.h"
#include "predict/access_classes.h"

namespace isosan::predict {
namespace {

constexpr std::size_t kMaxAttempts = 32;      // pairs of members tried until two can be concurrent
constexpr std::size_t kMaxIntruders = 4;      // on either side of a window, in the run
constexpr std::size_t kMaxReversals = 8;      // pairs of members tried until one can be reversed
constexpr std::size_t kMaxLockChanges = 256;  // looked at in one window
constexpr std::size_t kMaxStates = 3;         // kept for one window and f: one, and two alternates
constexpr std::size_t kMaxPerLocation = 256;  // cut-points, if there is a limit per place
constexpr std::uint64_t kMaxPairs = 400'000;  // of classes, at one location

// The three places in the program and the pattern.
using Place = std::tuple<SiteId, SiteId, SiteId, Pattern>;

struct Touch {
  OperationNumber operation;
  std::uint8_t mask;
};

Pattern pattern_of(const Window& window, bool f_writes) {
  if (!f_writes) return Pattern::kWrw;
  const bool e1_reads = reads(window.kind1), e2_writes = writes(window.kind2);
  if (e1_reads) return e2_writes ? Pattern::kRww : Pattern::kRwr;
  return e2_writes ? Pattern::kWww : Pattern::kWwr;
}

class CutPointSearch {
 public:
  CutPointSearch(const ObservedRun& run, const Tables& tables, const SearchLimits& limits,
                 SearchCounters& counters)
      : run_(run),
        classes_(run, tables, limits.threads_are_regions),
        limits_(limits),
        counters_(counters) {}

  std::vector<Candidate> search() {
    sort_by_slot();
    for (SlotIndex slot = 0; slot + 1 < starts_.size(); ++slot) {
      const std::span<const Touch> touches =
          std::span(touches_).subspan(starts_[slot], starts_[slot + 1] - starts_[slot]);
      if (touches.empty()) continue;
      for (const std::uint8_t bytes : pieces_of(touches)) search_location(slot, bytes, touches);
    }
    return std::move(candidates_);
  }

 private:
  // All accesses to shared slots, in linear order within a slot (counting sort).
  void sort_by_slot() {
    const Locations& locations = run_.locations();
    starts_.assign(locations.size() + 1, 0);
    const auto for_each = [&](auto&& f) {
      for (OperationNumber n = 0; n < run_.operations().size(); ++n) {
        const Operation& operation = run_.operations()[n];
        if (!is_access(operation.kind)) continue;
        run_.for_each_part(operation, [&](Part part) {
          if (locations.shared(part.slot)) f(n, part);
        });
      }
    };
    for_each([&](OperationNumber, Part part) { ++starts_[part.slot + 1]; });
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    touches_.resize(starts_.back());
    std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
    for_each([&](OperationNumber n, Part part) { touches_[next[part.slot]++] = {n, part.mask}; });
  }

  // The bytes of a slot, grouped by which accesses cover them.
  static std::vector<std::uint8_t> pieces_of(std::span<const Touch> touches) {
    std::array<bool, 256> seen{};
    std::vector<std::uint8_t> pieces{0xff};
    for (const Touch& touch : touches) {
      if (std::exchange(seen[touch.mask], true)) continue;
      std::vector<std::uint8_t> finer;
      for (const std::uint8_t piece : pieces) {
        const auto inside = static_cast<std::uint8_t>(piece & touch.mask);
        const auto outside = static_cast<std::uint8_t>(piece & ~touch.mask);
        if (inside != 0) finer.push_back(inside);
        if (outside != 0) finer.push_back(outside);
      }
      pieces = std::move(finer);
    }
    return pieces;
  }

  void search_location(SlotIndex slot, std::uint8_t bytes, std::span<const Touch> touches) {
    classes_.clear();
    for (const Touch& touch : touches) {
      if ((touch.mask & bytes) != 0) classes_.add(touch.operation);
    }
    if (classes_.threads().size() < 2) return;
    ++counters_.shared_locations;
    search_windows(slot, bytes);
    if (limits_.reversals) search_reversals(slot, bytes);
  }

  void search_windows(SlotIndex slot, std::uint8_t bytes) {
    std::uint64_t pairs = 0;
    const std::size_t before = candidates_.size();
    for (const ThreadClasses& first : classes_.threads()) {
      for (const ThreadClasses& second : classes_.threads()) {
        if (first.thread == second.thread) continue;
        for (const Window& window : first.windows) {
          for (const Intruder& intruder : second.intruders) {
            if (intruder.writes != window.for_writer) continue;
            if (++pairs > kMaxPairs && limits_.per_place != 0) return;
            search_pair(slot, bytes, first.thread, window, second.thread, intruder);
            if (limits_.per_place != 0 && candidates_.size() - before >= kMaxPerLocation) return;
          }
        }
      }
    }
  }

  void search_pair(SlotIndex slot, std::uint8_t bytes, std::uint32_t t1, const Window& window,
                   std::uint32_t t2, const Intruder& intruder) {
    if (never_reachable(t1, window, t2, intruder)) {
      ++counters_.excluded_by_locks;
      return;
    }
    const Pattern pattern = pattern_of(window, intruder.writes);
    std::uint64_t& kept = places_[{window.site1, window.site2, intruder.site, pattern}];
    if (limits_.per_place != 0 && kept >= limits_.per_place) {
      ++counters_.beyond_limit;
      return;
    }
    const std::size_t before = candidates_.size();
    const bool allowed = try_instances(t1, window, t2, intruder);
    for (std::size_t i = before; i < candidates_.size(); ++i) {
      Candidate& found = candidates_[i];
      found.pattern = pattern;
      found.closeness = window.closeness;
      found.observed =
          found.operations[0] < found.operations[1] && found.operations[1] < found.operations[2];
      found.alternate = i > before;
      found.mask = bytes;
      found.slot = slot;
    }
    if (candidates_.size() > before) {
      ++kept;
      counters_.cut_points += candidates_.size() - before;
    } else if (allowed) {
      ++counters_.excluded_by_locks;
    }
  }

  // A well-locked location, the usual case: decided once for all members.
  bool never_reachable(std::uint32_t t1, const Window& window, std::uint32_t t2,
                       const Intruder& intruder) {
    if (window.locks_change || window.state == kNoLocks || intruder.state == kNoLocks) return false;
    return !compatible_states(t1, index_of(window.instances[0].e1) + 1, window.state, t2,
                              index_of(intruder.instances[0]), intruder.state);
  }

  // Adds candidates for the first pair of members that can be concurrent. True if only locks
  // prevent it for some pair.
  bool try_instances(std::uint32_t t1, const Window& window, std::uint32_t t2,
                     const Intruder& intruder) {
    const std::size_t before = candidates_.size();
    bool allowed = false;
    std::size_t attempts = 0;
    for (const WindowInstance& instance : window.instances) {
      for (const OperationNumber f : closest(t1, instance, t2, intruder)) {
        allowed = true;
        enter(t1, instance.e1, index_of(instance.e2), t2, f);
        for (std::size_t i = before; i < candidates_.size(); ++i) {
          candidates_[i].operations.push_back(instance.e2);
        }
        if (candidates_.size() > before || ++attempts == kMaxAttempts) return allowed;
      }
    }
    return allowed;
  }

  void search_reversals(SlotIndex slot, std::uint8_t bytes) {
    std::uint64_t pairs = 0;
    const std::size_t before = candidates_.size();
    for (const ThreadClasses& first : classes_.threads()) {
      for (const ThreadClasses& second : classes_.threads()) {
        if (first.thread == second.thread) continue;
        for (const Intruder& access : first.intruders) {
          for (const Intruder& intruder : second.intruders) {
            if (access.writes == intruder.writes) continue;
            if (++pairs > kMaxPairs && limits_.per_place != 0) return;
            reverse(slot, bytes, first.thread, access, second.thread, intruder);
            if (limits_.per_place != 0 && candidates_.size() - before >= kMaxPerLocation) return;
          }
        }
      }
    }
  }

  // Moves e1 before the f that came right before it.
  void reverse(SlotIndex slot, std::uint8_t bytes, std::uint32_t t1, const Intruder& access,
               std::uint32_t t2, const Intruder& intruder) {
    const Pattern pattern = access.writes ? Pattern::kWr : Pattern::kRw;
    std::uint64_t& kept = places_[{access.site, intruder.site, kNoSite, pattern}];
    if (limits_.per_place != 0 && kept >= limits_.per_place) {
      ++counters_.beyond_limit;
      return;
    }
    const std::vector<OperationNumber>& all = intruder.instances;
    std::size_t attempts = 0;
    for (const OperationNumber e1 : access.instances) {
      const auto behind = std::lower_bound(all.begin(), all.end(), e1);
      if (behind == all.begin()) continue;
      if (++attempts > kMaxReversals) return;
      const OperationNumber f = *std::prev(behind);
      if (run_.clocks().demand(t1, index_of(e1) + 1, t2) > index_of(f)) continue;
      const std::size_t before = candidates_.size();
      enter(t1, e1, run_.threads()[t1].size(), t2, f);
      if (candidates_.size() == before) continue;
      candidates_.resize(before + 1);
      Candidate& found = candidates_.back();
      found.pattern = pattern;
      found.closeness = Closeness::kSameExecution;
      found.mask = bytes;
      found.slot = slot;
      ++kept;
      ++counters_.cut_points;
      return;
    }
  }

  std::uint32_t index_of(OperationNumber n) const { return run_.operations()[n].index; }

  // Members of the class that demands allow between e1 and e2 (f does not come before e1, nor after
  // e2), those closest to e1 in the run first.
  using Intruders = absl::InlinedVector<OperationNumber, 2 * kMaxIntruders>;
  Intruders closest(std::uint32_t t1, const WindowInstance& window, std::uint32_t t2,
                    const Intruder& intruder) const {
    const CausalClocks& clocks = run_.clocks();
    const std::vector<OperationNumber>& all = intruder.instances;
    const std::uint32_t after = clocks.demand(t1, index_of(window.e1) + 1, t2);
    const auto low = std::partition_point(all.begin(), all.end(),
                                          [&](OperationNumber f) { return index_of(f) < after; });
    const auto high = std::partition_point(low, all.end(), [&](OperationNumber f) {
      return clocks.demand(t2, index_of(f) + 1, t1) <= index_of(window.e2);
    });
    auto behind = std::lower_bound(low, high, window.e1), before = behind;
    Intruders result;
    const auto offer = [&](OperationNumber f) {
      const bool e1_first = clocks.demand(t2, index_of(f) + 1, t1) > index_of(window.e1);
      const bool f_first = clocks.demand(t1, index_of(window.e2) + 1, t2) > index_of(f);
      if (!e1_first || !f_first) result.push_back(f);  // otherwise it is ordered in every schedule
    };
    for (std::size_t i = 0; i < kMaxIntruders; ++i) {
      if (behind != high) offer(*behind++);
      if (before != low) offer(*--before);
    }
    return result;
  }

  // Finds e: the points after e1, up to `last` operations, at which T1 can be
  // while T2 is about to execute f.
  void enter(std::uint32_t t1, OperationNumber e1, std::uint32_t last, std::uint32_t t2,
             OperationNumber f) {
    const LockTimeline& locks = run_.threads()[t1].locks;
    const std::uint32_t m = index_of(f);
    std::uint32_t n = std::max(index_of(e1) + 1, run_.clocks().demand(t2, m + 1, t1));
    std::size_t event = locks.first_event(n);
    absl::InlinedVector<StateIndex, 4> tried;
    for (std::size_t changes = 0; n <= last && changes <= kMaxLockChanges; ++changes) {
      if (run_.clocks().demand(t1, n, t2) > m) return;
      const StateIndex state = event == 0 ? kNoLocks : locks.events()[event - 1].after;
      if (std::find(tried.begin(), tried.end(), state) == tried.end()) {
        tried.push_back(state);
        if (reachable(t1, n, state, t2, m)) {
          candidates_.push_back(
              {.operations = {e1, f}, .targets = {{t1, n, false}, {t2, m, true}}});
          if (state == kNoLocks || tried.size() >= kMaxStates) return;
        }
      }
      if (event == locks.events().size()) return;
      n = locks.events()[event++].at + 1;
    }
  }

  bool compatible_states(std::uint32_t t1, std::uint32_t n, StateIndex state, std::uint32_t t2,
                         std::uint32_t m, StateIndex other) {
    const std::uint64_t key = std::uint64_t{state} << 32 | other;
    const auto [known, added] = compatible_.try_emplace(key, false);
    if (added) {
      known->second =
          compatible(run_.lock_states(), run_.threads()[t1].locks, n, run_.threads()[t2].locks, m);
    }
    return known->second;
  }

  bool reachable(std::uint32_t t1, std::uint32_t n, StateIndex state, std::uint32_t t2,
                 std::uint32_t m) {
    const LockTimeline& first = run_.threads()[t1].locks;
    const LockTimeline& second = run_.threads()[t2].locks;
    const StateIndex other = second.state(m);
    if (state == kNoLocks || other == kNoLocks) return true;
    if (!compatible_states(t1, n, state, t2, m, other)) return false;
    if (first.nested() && second.nested()) return true;
    const std::array<Target, 2> targets{Target{t1, n, false}, Target{t2, m, true}};
    return weave(run_, targets).has_value();
  }

  const ObservedRun& run_;
  AccessClasses classes_;
  SearchLimits limits_;
  SearchCounters& counters_;
  std::vector<std::uint64_t> starts_;  // by slot: where its touches start
  std::vector<Touch> touches_;
  absl::flat_hash_map<std::uint64_t, bool> compatible_;  // by lock states of e and f
  absl::flat_hash_map<Place, std::uint64_t> places_;     // how many were kept
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<Candidate> find_cut_points(const ObservedRun& run, const Tables& tables,
                                       const SearchLimits& limits, SearchCounters& counters) {
  return CutPointSearch(run, tables, limits, counters).search();
}

}  // namespace isosan::predict
