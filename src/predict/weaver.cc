#include "predict/weaver.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "predict/lock_grid.h"

namespace isosan::predict {
namespace {

// How far each thread goes: in region I, up to its last empty lockset (II), and in the end (III).
struct Plan {
  std::vector<std::uint32_t> observed, empty, end;
};

class Planner {
 public:
  Planner(const ObservedRun& run, std::span<const Target> targets) : run_(run), targets_(targets) {}

  // `release`: threads that the targets wait for run on until they hold no lock.
  std::optional<Plan> plan(bool release) {
    plan_observed();
    plan_.end = plan_.observed;
    for (const Target& target : targets_) plan_.end[target.thread] = target.until;
    if (!close_over_demands(release)) return std::nullopt;
    plan_.empty = plan_.end;
    for (const Target& target : targets_) plan_.empty[target.thread] = empty_of(target);
    return plan_;
  }

 private:
  std::uint32_t empty_of(const Target& target) const {
    return run_.threads()[target.thread].locks.last_empty(target.until);
  }
  bool is_target(std::uint32_t thread) const {
    return std::any_of(targets_.begin(), targets_.end(),
                       [&](const Target& target) { return target.thread == thread; });
  }

  std::uint32_t is_ready(std::uint32_t thread) const {
    return std::any_of(targets_.begin(), targets_.end(), [&](const Target& target) {
      return target.thread == thread && target.ready;
    });
  }

  // Just before the first target leaves its last empty lockset.
  OperationNumber end_of_region_one() const {
    OperationNumber end = run_.operations().size();
    for (const Target& target : targets_) {
      const std::uint32_t empty = empty_of(target);
      if (empty < run_.size(target.thread))
        end = std::min(end, run_.operations().number_of(target.thread, empty));
    }
    return end;
  }

  void plan_observed() {
    const OperationNumber end = end_of_region_one();
    const std::span<const ThreadRun> threads = run_.threads();
    plan_.observed.resize(threads.size());
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
      plan_.observed[t] = threads[t].locks.last_empty(run_.operations().executed(t, end));
    }
    for (const Target& target : targets_) {
      std::uint32_t& observed = plan_.observed[target.thread];
      observed = std::min(observed, empty_of(target));
    }
    while (shrink_to_closed()) {
    }
  }

  // An operation that waits for a left-out one is left out, too.
  bool shrink_to_closed() {
    bool changed = false;
    for (std::uint32_t t = 0; t < plan_.observed.size(); ++t) {
      std::uint32_t& n = plan_.observed[t];
      while (n > 0 && !satisfied(t, n, plan_.observed)) {
        n = run_.threads()[t].locks.last_empty(run_.clocks().last_change(t, n));
        changed = true;
      }
    }
    return changed;
  }

  bool satisfied(std::uint32_t thread, std::uint32_t n,
                 const std::vector<std::uint32_t>& counts) const {
    const std::span<const std::uint32_t> demands = run_.clocks().demands(thread, n);
    for (std::uint32_t u = 0; u < demands.size() && u < counts.size(); ++u) {
      if (u != thread && demands[u] > counts[u]) return false;
    }
    return true;
  }

  bool close_over_demands(bool release) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t t = 0; t < plan_.end.size(); ++t) {
        const std::span<const std::uint32_t> demands =
            run_.clocks().demands(t, plan_.end[t] + is_ready(t));
        for (std::uint32_t u = 0; u < demands.size() && u < plan_.end.size(); ++u) {
          if (u == t || demands[u] <= plan_.end[u]) continue;
          if (is_target(u)) return false;
          const std::uint32_t empty = run_.threads()[u].locks.next_empty(demands[u]);
          plan_.end[u] = release && empty != LockTimeline::kNever ? empty : demands[u];
          changed = true;
        }
      }
    }
    return true;
  }

  const ObservedRun& run_;
  std::span<const Target> targets_;
  Plan plan_;
};

// Executes a plan from the end of region I on.
class PlanExecutor {
 public:
  PlanExecutor(const ObservedRun& run, const Plan& plan)
      : run_(run), plan_(plan), count_(plan.observed) {
    for (std::uint32_t t = 0; t < count_.size(); ++t) {
      if (count_[t] == plan.end[t]) continue;
      const LockTimeline& locks = run.threads()[t].locks;
      Active active{.thread = t, .next = locks.first_event(count_[t])};
      for (const HeldLock& held : run.lock_states().lockset(locks.state(plan.end[t]))) {
        active.kept.push_back(locks.acquisition(held.lock, plan.end[t]));
      }
      active_.push_back(std::move(active));
    }
  }

  bool finish() {
    while (!done(plan_.end)) {
      if (!as_observed() && !alternate()) return false;
    }
    return true;
  }
  bool finish_region_two() {
    while (!done(plan_.empty)) {
      if (!as_observed()) return false;
    }
    return true;
  }
  std::vector<Step>& steps() { return steps_; }

 private:
  struct Active {
    std::uint32_t thread;
    std::size_t next;                   // its next lock event
    std::vector<std::uint32_t> kept{};  // acquisitions of the locks that it holds in the end
  };
  struct Holders {
    std::uint32_t exclusive = 0, shared = 0;  // how many threads
  };

  bool done(const std::vector<std::uint32_t>& goal) const {
    return std::all_of(active_.begin(), active_.end(),
                       [&](const Active& a) { return count_[a.thread] >= goal[a.thread]; });
  }

  OperationNumber next_number(std::uint32_t thread) const {
    return run_.operations().number_of(thread, count_[thread]);
  }

  // Region II: the thread that was next in the observed run, up to where another one was.
  bool as_observed() {
    std::vector<Active*> order;
    for (Active& a : active_) {
      if (count_[a.thread] < plan_.empty[a.thread]) order.push_back(&a);
    }
    std::sort(order.begin(), order.end(), [&](const Active* a, const Active* b) {
      return next_number(a->thread) < next_number(b->thread);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint32_t t = order[i]->thread;
      std::uint32_t bound = plan_.empty[t];
      if (i + 1 < order.size()) {
        const OperationNumber other = next_number(order[i + 1]->thread);
        bound = std::min(bound, std::max(run_.operations().executed(t, other), count_[t] + 1));
      }
      if (advance(*order[i], bound)) return true;
    }
    return false;
  }

  // Region III: one thread as long as possible, then the next.
  bool alternate() {
    for (Active& a : active_) {
      if (count_[a.thread] < plan_.end[a.thread] && advance(a, plan_.end[a.thread])) return true;
    }
    return false;
  }

  // Lets a thread run up to `bound` operations, or to one that it cannot execute yet.
  bool advance(Active& a, std::uint32_t bound) {
    const std::uint32_t t = a.thread;
    const LockTimeline& locks = run_.threads()[t].locks;
    const std::uint32_t before = count_[t];
    while (count_[t] < bound) {
      const std::uint32_t lock_at = a.next < locks.event_count() ? locks.at(a.next) : bound;
      const std::uint32_t change = run_.clocks().next_change(t, count_[t]);
      count_[t] = std::min({bound, lock_at, change});
      if (count_[t] == bound) break;
      if (change == count_[t] && !satisfies_demands(t)) break;
      if (lock_at == count_[t] && !execute(a, locks.event(a.next))) break;
      ++count_[t];
    }
    if (count_[t] == before) return false;
    if (!steps_.empty() && steps_.back().thread == t) {
      steps_.back().until = count_[t];
    } else {
      steps_.push_back({t, count_[t]});
    }
    return true;
  }

  bool satisfies_demands(std::uint32_t thread) const {
    const std::span<const std::uint32_t> demands =
        run_.clocks().demands(thread, count_[thread] + 1);
    for (std::uint32_t u = 0; u < demands.size() && u < count_.size(); ++u) {
      if (u != thread && demands[u] > count_[u]) return false;
    }
    return true;
  }

  bool execute(Active& a, const LockEvent& event) {
    Holders& holders = holders_[event.lock];
    std::uint32_t& mine = event.mode == LockMode::kExclusive ? holders.exclusive : holders.shared;
    if (event.acquire) {
      const bool free =
          holders.exclusive == 0 && (event.mode == LockMode::kShared || holders.shared == 0);
      if (!free || (is_kept(a, event) && needed_by_others(a, event))) return false;
      ++mine;
    } else {
      --mine;
    }
    ++a.next;
    return true;
  }

  static bool is_kept(const Active& a, const LockEvent& event) {
    return std::find(a.kept.begin(), a.kept.end(), event.at) != a.kept.end();
  }
  bool needed_by_others(const Active& a, const LockEvent& event) const {
    return std::any_of(active_.begin(), active_.end(), [&](const Active& other) {
      const std::uint32_t u = other.thread;
      return u != a.thread &&
             run_.threads()[u].locks.acquires(event.lock, event.mode, count_[u], plan_.end[u]);
    });
  }

  const ObservedRun& run_;
  const Plan& plan_;
  std::vector<std::uint32_t> count_;
  std::vector<Active> active_;
  absl::flat_hash_map<LockIndex, Holders> holders_;
  std::vector<Step> steps_;
};

std::optional<Weave> weave_plan(const ObservedRun& run, const Plan& plan,
                                std::span<const Target> targets) {
  PlanExecutor executor(run, plan);
  if (executor.finish()) return Weave{plan.observed, std::move(executor.steps())};
  if (targets.size() != 2) return std::nullopt;
  PlanExecutor again(run, plan);
  if (!again.finish_region_two()) return std::nullopt;
  const auto path = path_through_locks(run, {targets[0].thread, plan.empty[targets[0].thread]},
                                       {targets[1].thread, plan.empty[targets[1].thread]},
                                       targets[0].until, targets[1].until);
  if (!path) return std::nullopt;
  Weave woven{plan.observed, std::move(again.steps())};
  woven.rest.insert(woven.rest.end(), path->begin(), path->end());
  return woven;
}

}  // namespace

std::optional<Weave> weave(const ObservedRun& run, std::span<const Target> targets) {
  for (const bool release : {true, false}) {
    const std::optional<Plan> plan = Planner(run, targets).plan(release);
    if (!plan) continue;
    if (std::optional<Weave> woven = weave_plan(run, *plan, targets)) return woven;
  }
  return std::nullopt;
}

}  // namespace isosan::predict
