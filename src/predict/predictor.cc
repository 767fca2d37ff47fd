#include "predict/predictor.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <string>

#include "base/check.h"
#include "predict/context_switches.h"
#include "predict/cut_points.h"
#include "predict/lock_cycles.h"
#include "predict/observed_run.h"
#include "predict/ranking.h"
#include "predict/weaver.h"

namespace isosan {

using predict::Candidate;
using predict::Operation;
using predict::Step;
using predict::Target;

struct Predictor::State {
  const Tables& tables;
  PredictOptions options;
  predict::ObservedRun run;
  predict::SearchCounters counters;
  bool split = false;                                // split_loops() was called
  std::uint64_t found = 0;                           // candidates
  std::uint64_t lock_cycles = 0;                     // among them
  std::uint64_t not_woven = 0;                       // candidates that no schedule was found for
  mutable std::optional<std::vector<Step>> reduced;  // the observed order; made when first needed

  std::uint64_t thread_changes() const {  // in the observed run
    std::uint64_t changes = 0;
    const predict::Operations& all = run.operations();
    for (predict::OperationNumber n = 1; n < all.size(); ++n)
      changes += all[n].thread != all[n - 1].thread;
    return changes;
  }
  std::string path_of(std::uint32_t thread) const {
    const bool known = thread < tables.threads.size() && !tables.threads[thread].birth_path.empty();
    return known ? tables.threads[thread].birth_path : std::to_string(thread);
  }
  PredictedOperation predicted_operation(predict::OperationId id) const;
  Prediction to_prediction(const Candidate& candidate) const;
  // Where the threads stand right before the last operation of the pattern.
  std::vector<Target> targets_of(const Prediction& prediction) const;
  std::vector<Step> all_steps(const Prediction& prediction) const;
};

PredictedOperation Predictor::State::predicted_operation(predict::OperationId id) const {
  const Operation o = run.operations()[id.number];
  return {.thread = ThreadId{o.thread},
          .index = id.index,
          .kind = o.kind,
          .address = run.address_of(o),
          .size = run.size_of(o),
          .site = o.site,
          .context = o.context};
}

Prediction Predictor::State::to_prediction(const Candidate& c) const {
  Prediction p{.pattern = c.pattern, .in_observed_run = c.observed};
  for (const predict::OperationId id : c.operations)
    p.operations.push_back(predicted_operation(id));
  for (const Target& target : c.targets) {
    const SiteId site =
        target.until == 0 ? kNoSite : run.operation(target.thread, target.until - 1).site;
    p.cut.push_back({ThreadId{target.thread}, target.until, site});
  }
  if (c.pattern == Pattern::kDeadlock) {
    p.address = p.operations.front().address;
    return p;
  }
  p.cut.back() = {p.operations[1].thread, p.operations[1].index + 1, p.operations[1].site};
  p.unlocked = run.threads()[c.targets.front().thread].locks.state(c.targets.front().until) ==
               predict::kNoLocks;
  const auto [slot, bytes] = c.location;
  p.address = run.locations().address_of(slot) + static_cast<Address>(std::countr_zero(bytes));
  p.size = static_cast<std::uint64_t>(std::popcount(bytes));
  if (is_pair(c.pattern)) p.address = p.operations[0].address, p.size = p.operations[0].size;
  p.region = run.regions().region(c.node);
  return p;
}

std::vector<Target> Predictor::State::targets_of(const Prediction& prediction) const {
  const bool deadlock = prediction.pattern == Pattern::kDeadlock;
  std::vector<Target> targets;
  for (const CutPoint& cut : prediction.cut) {
    targets.push_back({index(cut.thread), static_cast<std::uint32_t>(cut.until), deadlock});
  }
  if (!deadlock) {
    --targets.back().until;
    targets.back().ready = true;
  }
  return targets;
}

std::vector<Step> Predictor::State::all_steps(const Prediction& prediction) const {
  const std::optional<predict::Weave> woven = weave(run, targets_of(prediction));
  ISOSAN_CHECK(woven.has_value());
  if (!reduced) reduced = with_fewer_switches(run);
  std::vector<Step> steps = clipped(*reduced, woven->observed);
  steps.insert(steps.end(), woven->rest.begin(), woven->rest.end());
  if (prediction.pattern != Pattern::kDeadlock) {
    const CutPoint& f = prediction.cut.back();
    steps.push_back({index(f.thread), static_cast<std::uint32_t>(f.until)});
  }
  return steps;
}

Predictor::Predictor(const Tables& tables, const PredictOptions& options)
    : state_(new State{.tables = tables, .options = options}) {}

Predictor::~Predictor() = default;

void Predictor::feed(std::span<const Event> batch) {
  for (const Event& event : batch) state_->run.take(event);
}

std::vector<Prediction> Predictor::predictions(const PredictLimits& limits) {
  State& s = *state_;
  const predict::SearchLimits search{.threads_are_regions = s.options.threads_are_regions,
                                     .reversals = s.options.reversals,
                                     .pairs = s.options.pairs,
                                     .per_place = limits.per_place};
  if (s.options.loops && !s.split) s.run.split_loops();
  s.split = true;
  s.counters = {};
  std::vector<Candidate> candidates = find_cut_points(s.run, s.tables, search, s.counters);
  std::vector<Candidate> cycles = find_lock_cycles(s.run, search);
  s.lock_cycles = cycles.size();
  std::move(cycles.begin(), cycles.end(), std::back_inserter(candidates));
  s.found = candidates.size();
  s.not_woven = 0;
  rank(s.run, s.tables, candidates);
  std::vector<Prediction> result;
  for (const Candidate& candidate : candidates) {
    if (limits.predictions != 0 && result.size() == limits.predictions) break;
    if (weave(s.run, candidate.targets)) {
      result.push_back(s.to_prediction(candidate));
    } else {
      ++s.not_woven;
    }
  }
  return result;
}

Schedule Predictor::schedule(const Prediction& prediction) const {
  const State& s = *state_;
  Schedule schedule;
  for (const Module& module : s.tables.modules) {
    if (module.instrumented && !module.build_id.empty()) {
      schedule.build_ids.push_back(module.build_id);
    }
  }
  for (const Step& step : s.all_steps(prediction)) {
    if (!schedule.steps.empty() && schedule.steps.back().thread == s.path_of(step.thread)) {
      schedule.steps.back().until = step.until;
    } else {
      schedule.steps.push_back({s.path_of(step.thread), step.until});
    }
  }
  schedule.first_after = s.path_of(index(prediction.cut.back().thread));
  return schedule;
}

Stats Predictor::stats() const {
  const State& s = *state_;
  return {{"events", s.run.events()},
          {"operations", s.run.operations().size()},
          {"threads", s.run.threads().size()},
          {"thread_changes", s.thread_changes()},
          {"locks", s.run.locks()},
          {"shared_locations", s.counters.shared_locations},
          {"lock_states", s.run.lock_states().size()},
          {"cut_points", s.found},
          {"lock_cycles", s.lock_cycles},
          {"beyond_limit", s.counters.beyond_limit},
          {"excluded_by_locks", s.counters.excluded_by_locks},
          {"excluded_by_order", s.not_woven}};
}

}  // namespace isosan
