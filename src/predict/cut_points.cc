#include "predict/cut_points.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <tuple>

#include "absl/container/inlined_vector.h"
#include "predict/access_classes.h"
#include "predict/location_pairs.h"
#include "predict/touches.h"

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

Pattern pattern_of(const Window& window, bool f_writes) {
  if (!f_writes) return Pattern::kWrw;
  const bool e1_reads = reads(window.kind1), e2_writes = writes(window.kind2);
  if (e1_reads) return e2_writes ? Pattern::kRww : Pattern::kRwr;
  return e2_writes ? Pattern::kWww : Pattern::kWwr;
}

Pattern pattern_of_pair(const Window&, bool f_writes) {
  return f_writes ? Pattern::kPairWritten : Pattern::kPairRead;
}

class CutPointSearch {
 public:
  CutPointSearch(const ObservedRun& run, const Tables& tables, const SearchLimits& limits,
                 SearchCounters& counters)
      : run_(run),
        touches_(run),
        classes_(run, tables, limits.threads_are_regions),
        limits_(limits),
        counters_(counters) {}

  std::vector<Candidate> search() {
    for (SlotIndex slot = 0; slot < touches_.slots();) {
      for (const SlotIndex end = touches_.gather(slot); slot < end; ++slot) search_slot(slot);
    }
    if (limits_.pairs && touches_.are_all_here()) search_pairs();
    return std::move(candidates_);
  }

 private:
  void search_slot(SlotIndex slot) {
    if (!touches_.is_shared(slot)) return;
    for (const std::uint8_t bytes : touches_.pieces(slot)) search_location({slot, bytes});
  }

  void search_location(Location location) {
    classes_.clear();
    touches_.for_each(location.slot, [&](const Touch& touch) {
      if ((touch.mask & location.bytes) != 0) classes_.add(touch);
    });
    if (classes_.threads().size() < 2) return;
    ++counters_.shared_locations;
    search_windows(location, pattern_of);
    if (limits_.reversals) search_reversals(location);
  }

  void search_pairs() {
    for (const LocationPair& pair :
         locations_used_together(run_, touches_, limits_.threads_are_regions)) {
      classes_.clear();
      for_each_touch(touches_, pair, [&](const Touch& touch, bool first, bool second) {
        classes_.add_of_pair(touch, first, second);
      });
      search_windows(pair.first, pattern_of_pair);
    }
  }

  template <class PatternOf>
  void search_windows(Location location, PatternOf pattern_of_window) {
    std::uint64_t pairs = 0;
    const std::size_t before = candidates_.size();
    for (const ThreadClasses& first : classes_.threads()) {
      for (const ThreadClasses& second : classes_.threads()) {
        if (first.thread == second.thread) continue;
        for (const Window& window : first.windows) {
          for (const Intruder& intruder : second.intruders) {
            if (intruder.writes != window.for_writer) continue;
            if (++pairs > kMaxPairs && limits_.per_place != 0) return;
            search_window(location, pattern_of_window(window, intruder.writes), first.thread,
                          window, second.thread, intruder);
            if (limits_.per_place != 0 && candidates_.size() - before >= kMaxPerLocation) return;
          }
        }
      }
    }
  }

  void search_window(Location location, Pattern pattern, std::uint32_t t1, const Window& window,
                     std::uint32_t t2, const Intruder& intruder) {
    if (never_reachable(t1, window, t2, intruder)) {
      ++counters_.excluded_by_locks;
      return;
    }
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
      found.location = location;
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
    return !compatible_states(t1, window.instances[0].e1.index + 1, window.state, t2,
                              intruder.instances[0].f.index, intruder.state);
  }

  // Adds candidates for the first pair of members that can be concurrent. True if only locks
  // prevent it for some pair.
  bool try_instances(std::uint32_t t1, const Window& window, std::uint32_t t2,
                     const Intruder& intruder) {
    const std::size_t before = candidates_.size();
    bool allowed = false;
    std::size_t attempts = 0;
    for (const WindowInstance& instance : window.instances) {
      for (const OperationId f : closest(t1, instance, t2, intruder)) {
        allowed = true;
        enter(t1, instance.e1, instance.e2.index, t2, f);
        for (std::size_t i = before; i < candidates_.size(); ++i) {
          candidates_[i].operations.push_back(instance.e2);
          candidates_[i].node = instance.node;
        }
        if (candidates_.size() > before || ++attempts == kMaxAttempts) return allowed;
      }
    }
    return allowed;
  }

  void search_reversals(Location location) {
    std::uint64_t pairs = 0;
    const std::size_t before = candidates_.size();
    for (const ThreadClasses& first : classes_.threads()) {
      for (const ThreadClasses& second : classes_.threads()) {
        if (first.thread == second.thread) continue;
        for (const Intruder& access : first.intruders) {
          for (const Intruder& intruder : second.intruders) {
            if (access.writes == intruder.writes) continue;
            if (++pairs > kMaxPairs && limits_.per_place != 0) return;
            reverse(location, first.thread, access, second.thread, intruder);
            if (limits_.per_place != 0 && candidates_.size() - before >= kMaxPerLocation) return;
          }
        }
      }
    }
  }

  // Moves e1 before the f that came right before it.
  void reverse(Location location, std::uint32_t t1, const Intruder& access, std::uint32_t t2,
               const Intruder& intruder) {
    const Pattern pattern = access.writes ? Pattern::kWr : Pattern::kRw;
    std::uint64_t& kept = places_[{access.site, intruder.site, kNoSite, pattern}];
    if (limits_.per_place != 0 && kept >= limits_.per_place) {
      ++counters_.beyond_limit;
      return;
    }
    const std::vector<IntruderInstance>& all = intruder.instances;
    std::size_t attempts = 0;
    for (const auto& [e1, node] : access.instances) {
      const auto behind = std::ranges::lower_bound(all, e1, std::less{}, &IntruderInstance::f);
      if (behind == all.begin()) continue;
      if (++attempts > kMaxReversals) return;
      const OperationId f = std::prev(behind)->f;
      if (run_.clocks().demand(t1, e1.index + 1, t2) > f.index) continue;
      const std::size_t before = candidates_.size();
      enter(t1, e1, run_.size(t1), t2, f);
      if (candidates_.size() == before) continue;
      candidates_.resize(before + 1);
      Candidate& found = candidates_.back();
      found.pattern = pattern;
      found.closeness = Closeness::kSameExecution;
      found.node = node;
      found.location = location;
      ++kept;
      ++counters_.cut_points;
      return;
    }
  }

  // Members of the class that demands allow between e1 and e2 (f does not come before e1, nor after
  // e2), those closest to e1 in the run first.
  using Intruders = absl::InlinedVector<OperationId, 2 * kMaxIntruders>;
  Intruders closest(std::uint32_t t1, const WindowInstance& window, std::uint32_t t2,
                    const Intruder& intruder) const {
    const CausalClocks& clocks = run_.clocks();
    const std::vector<IntruderInstance>& all = intruder.instances;
    const std::uint32_t after = clocks.demand(t1, window.e1.index + 1, t2);
    const auto low = std::partition_point(all.begin(), all.end(),
                                          [&](const auto& one) { return one.f.index < after; });
    const auto high = std::partition_point(low, all.end(), [&](const auto& one) {
      return clocks.demand(t2, one.f.index + 1, t1) <= window.e2.index;
    });
    auto behind = std::ranges::lower_bound(low, high, window.e1, std::less{}, &IntruderInstance::f);
    auto before = behind;
    Intruders result;
    const auto offer = [&](OperationId f) {
      const bool e1_first = clocks.demand(t2, f.index + 1, t1) > window.e1.index;
      const bool f_first = clocks.demand(t1, window.e2.index + 1, t2) > f.index;
      if (!e1_first || !f_first) result.push_back(f);  // otherwise it is ordered in every schedule
    };
    for (std::size_t i = 0; i < kMaxIntruders; ++i) {
      if (behind != high) offer((behind++)->f);
      if (before != low) offer((--before)->f);
    }
    return result;
  }

  // Finds e: the points after e1, up to `last` operations, at which T1 can be
  // while T2 is about to execute f.
  void enter(std::uint32_t t1, OperationId e1, std::uint32_t last, std::uint32_t t2,
             OperationId f) {
    const LockTimeline& locks = run_.threads()[t1].locks;
    const std::uint32_t m = f.index;
    std::uint32_t n = std::max(e1.index + 1, run_.clocks().demand(t2, m + 1, t1));
    std::size_t event = locks.first_event(n);
    absl::InlinedVector<StateIndex, 4> tried;
    for (std::size_t changes = 0; n <= last && changes <= kMaxLockChanges; ++changes) {
      if (run_.clocks().demand(t1, n, t2) > m) return;
      const StateIndex state = locks.state_before(event);
      if (std::find(tried.begin(), tried.end(), state) == tried.end()) {
        tried.push_back(state);
        if (reachable(t1, n, state, t2, m)) {
          candidates_.push_back(
              {.operations = {e1, f}, .targets = {{t1, n, false}, {t2, m, true}}});
          if (state == kNoLocks || tried.size() >= kMaxStates) return;
        }
      }
      if (event == locks.event_count()) return;
      n = locks.at(event++) + 1;
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
  Touches touches_;
  AccessClasses classes_;
  SearchLimits limits_;
  SearchCounters& counters_;
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
