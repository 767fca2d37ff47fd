#include "hunt/hunt.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "event/found_by_pass.h"
#include "hunt/confirm.h"
#include "hunt/corpus_session.h"
#include "hunt/coverage.h"
#include "hunt/observation.h"
#include "hunt/repeatable.h"
#include "hunt/sequences.h"
#include "hunt/shared_use.h"
#include "hunt/strategy.h"
#include "predict/predictor.h"

namespace isosan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRunsWithoutSchedule = 3;
// A run that changes nothing for ten times as many operations as the first run has in all, and for
// no fewer than these, goes round for ever.
constexpr std::uint64_t kFewestStill = 1'000'000;
constexpr std::uint64_t kStillRuns = 10;

// What the runtime said when it ended a program that it could not observe; empty: nothing.
std::string refusal(const Execution& execution) {
  constexpr std::string_view kOurs = "isosan: ";
  if (execution.attached || !execution.errors.starts_with(kOurs)) return {};
  return execution.errors.substr(kOurs.size(), execution.errors.find('\n') - kOurs.size());
}

bool is_optimised(const Tables& tables) {
  return std::ranges::any_of(tables.functions, [](const Function& function) {
    return (function.annotations & kOptimised) != 0;
  });
}

class Hunter {
 public:
  explicit Hunter(HuntOptions& options)
      : options_(options),
        deadline_(options.harness.deadline),
        strategy_(make_strategy(options.strategy, options, result_)),
        corpus_(options.corpus, options.shard) {}

  HuntResult run() {
    run_observed({}, processor_for(0));
    if (!is_over()) work_together();
    result_.counts.left = strategy_->left();
    result_.stopped = why_stopped();
    result_.corpus = corpus_.use();
    return std::move(result_);
  }

 private:
  bool is_over() const {
    return !result_.cannot.empty() || stop_ || Clock::now() > deadline_ ||
           handed_out_ >= options_.max_schedules;
  }

  std::string why_stopped() const {
    if (stop_ || !result_.cannot.empty()) return {};
    if (Clock::now() > deadline_) {
      return fmt::format("the budget of {} s is over (--budget)", options_.budget.count());
    }
    return handed_out_ >= options_.max_schedules
               ? fmt::format("stopped after {} schedules (--max-schedules)", options_.max_schedules)
               : std::string();
  }

  void work_together() {
    std::vector<std::thread> workers;
    for (unsigned i = 1; i < options_.jobs; ++i) workers.emplace_back([this, i] { work(i); });
    work(0);
    for (std::thread& worker : workers) worker.join();
  }

  void work(unsigned job) {
    const int cpu = processor_for(job);
    for (;;) {
      std::optional<Candidate> candidate;
      {
        const std::lock_guard guard(mutex_);
        candidate = next_of_shard();
        if (!candidate) return;
      }
      if (candidate->free) {
        run_freely(*candidate, cpu);
      } else if (candidate->observed) {
        run_observed(*candidate, cpu);
      } else {
        run_forced(*candidate, cpu);
      }
    }
  }

  // Every shard has the same candidates, and does the observed runs: others are predicted from them.
  std::optional<Candidate> next_of_shard() {
    for (;;) {
      if (is_over()) return std::nullopt;
      std::optional<Candidate> candidate = corpus_.next();
      if (!candidate) candidate = strategy_->next();
      if (!candidate) return std::nullopt;
      candidate->order = ++order_;
      if (!is_observed(*candidate)) ++handed_out_;
      if (is_observed(*candidate) || is_of_shard(*candidate)) return candidate;
    }
  }

  bool is_of_shard(const Candidate& candidate) const {
    return options_.shard.owns(identity_of(candidate.request));
  }

  // Its pairs are wanted only for the corpus.
  Execution execute_watched(const Candidate& candidate, int cpu,
                            std::vector<std::uint64_t>& shown) const {
    Observation observation(options_.harness, &candidate.request, *options_.rules, cpu);
    OrderedPairs pairs;
    observation.run([&](std::span<const Event> batch) { pairs.feed(batch); });
    shown = pairs.keys(observation.tables());
    return observation.execution();
  }

  void run_forced(const Candidate& candidate, int cpu) {
    std::vector<std::uint64_t> shown;
    const Execution execution = corpus_.wanted()
                                    ? execute_watched(candidate, cpu, shown)
                                    : execute(options_.harness, candidate.request, cpu);
    if (was_cut(options_.harness, execution)) return;
    const Verdict verdict = take(candidate, execution, cpu);
    if (verdict == Verdict::kFailed) return;
    const std::lock_guard guard(mutex_);
    if (verdict == Verdict::kPassed) corpus_.learn(candidate, execution, shown);
    strategy_->learn(candidate, {.execution = execution, .feasible = verdict == Verdict::kPassed});
  }

  static bool is_first(const Candidate& candidate) { return candidate.order == 0; }

  void run_observed(const Candidate& candidate, int cpu) {
    const bool first = is_first(candidate);
    Observation observation(options_.harness, &candidate.request, *options_.rules, cpu);
    Predictor predictor(observation.tables(), {.threads_are_regions = options_.threads_are_regions,
                                               .loops = options_.loops});
    Sequences sequences;
    OrderedPairs pairs;
    SharedUse shared;
    observation.run([&](std::span<const Event> batch) {
      predictor.feed(batch);
      pairs.feed(batch);
      if (!first) return;
      sequences.feed(batch);
      shared.feed(batch);
    });
    const Execution& execution = observation.execution();
    if (first && !can_be_hunted(execution)) return;
    if (was_cut(options_.harness, execution)) return;
    if (first) result_.build_ids = observation.build_ids();
    if (first) result_.optimised = is_optimised(observation.tables());
    if (first && options_.check_tables) options_.check_tables(observation.tables());
    if (first && !execution.timed_out) {
      sequences.finish(observation.tables());
      result_.diverged = divergence_of(sequences, execution, options_.harness, *options_.rules);
      if (!result_.diverged.empty() && fix_inputs(execution)) return run_observed(candidate, cpu);
      result_.cannot = take_serial_output(options_.harness, cpu);
      if (!result_.cannot.empty()) return;
    }
    if (first && !execution.timed_out) {
      options_.harness.most_still = std::max(kFewestStill, kStillRuns * execution.operations());
    }
    const Verdict verdict = take(candidate, execution, cpu);
    if (verdict == Verdict::kFailed) return;
    std::vector<SelectedObject> objects;
    if (first) objects = shared.objects(observation.tables());
    const std::lock_guard guard(mutex_);
    if (verdict == Verdict::kInfeasible) {
      strategy_->learn(candidate, {.execution = execution, .feasible = false});
      return;
    }
    const std::vector<std::uint64_t> shown = pairs.keys(observation.tables());
    const std::uint64_t news = coverage_.add(shown);
    if (first) corpus_.begin(observation.build_ids());
    corpus_.learn(candidate, execution, shown);
    result_.counts.pairs = coverage_.size();
    strategy_->learn(candidate, {.execution = execution,
                                 .news = news,
                                 .predictor = &predictor,
                                 .tables = &observation.tables(),
                                 .shared = first ? &objects : nullptr});
  }

  // Of a first run that is not the same when it is replayed. True: the next one may be.
  bool fix_inputs(const Execution& execution) {
    const std::uint32_t fixed = inputs_to_fix(execution, options_.harness);
    options_.harness.fixed |= fixed;
    result_.fixed |= fixed;
    return fixed != 0;
  }

  void run_freely(const Candidate& candidate, int cpu) {
    Observation observation(options_.harness, nullptr, *options_.rules, -1);
    OrderRecorder order;
    observation.run([&](std::span<const Event> batch) { order.feed(batch); });
    if (was_cut(options_.harness, observation.execution())) return;
    const auto failure = judge(options_.harness, observation.execution());
    note(candidate, observation.execution(), failure ? Verdict::kFailed : Verdict::kPassed);
    if (failure) take_failure(candidate, order.schedule(observation.tables()), *failure, cpu);
  }

  // After the first run.
  bool can_be_hunted(const Execution& execution) {
    const std::string& program = options_.harness.command[0];
    if (const std::string said = refusal(execution); !said.empty()) {
      result_.cannot = said;
    } else if (!execution.attached || execution.accesses == 0) {
      result_.nothing_seen = execution.timed_out;
      result_.cannot =
          fmt::format("nothing of '{}' was {}: build it with 'isosan cc' or 'isosan c++'{}",
                      program, execution.timed_out ? "seen before it was ended" : "instrumented",
                      execution.timed_out ? ", or give it more time (--timeout, --budget)" : "");
    } else if (was_cut(options_.harness, execution)) {
      result_.cannot = "the budget was over before the first run had ended (--budget)";
    } else if (const std::string why = cannot_be_scheduled(execution); !why.empty()) {
      result_.cannot = fmt::format("'{}' cannot be hunted: {}", program, why);
    } else {
      result_.cannot = cannot_be_judged(options_.harness, execution);
    }
    return result_.cannot.empty();
  }

  Verdict take(const Candidate& candidate, const Execution& execution, int cpu) {
    const auto failure = judge(options_.harness, execution);
    const Verdict verdict = !was_feasible(execution, failure) ? Verdict::kInfeasible
                            : failure                         ? Verdict::kFailed
                                                              : Verdict::kPassed;
    note(candidate, execution, verdict);
    if (verdict != Verdict::kFailed) return verdict;
    const bool explains_itself = failure->kind == FailureKind::kDeadlock;
    if (is_first(candidate) && !explains_itself && fails_without_schedule()) return verdict;
    if (!is_of_shard(candidate)) return verdict;
    take_failure(candidate, schedule_of(execution), *failure, cpu);
    return verdict;
  }

  // Is it a run that others are predicted from, not one that was predicted?
  static bool is_observed(const Candidate& candidate) {
    if (candidate.seeded) return true;
    return !candidate.free && !candidate.prediction &&
           (candidate.observed || candidate.request.policy == log::Policy::kRunOn);
  }

  // A program that always fails needs no hunt, unless its report says why. Asked of one that fails in
  // its first run.
  bool fails_without_schedule() {
    std::string text;
    for (int i = 0; i < kRunsWithoutSchedule; ++i) {
      const auto failure = judge(options_.harness, execute_freely(options_.harness));
      if (!failure) return false;
      text = failure->text;
    }
    const std::lock_guard guard(mutex_);
    result_.cannot =
        fmt::format("'{}' fails in every run without help ({})", options_.harness.command[0], text);
    return true;
  }

  void note(const Candidate& candidate, const Execution& execution, Verdict verdict) {
    const std::lock_guard guard(mutex_);
    count(candidate, verdict);
    if (candidate.number) {
      TriedSchedule& tried = result_.tried[*candidate.number];
      tried.verdict = verdict;
      tried.why = why_left(execution);
    }
    if (options_.progress) options_.progress(result_.counts);
  }

  void count(const Candidate& candidate, Verdict verdict) {
    HuntCounts& counts = result_.counts;
    const bool failed = verdict == Verdict::kFailed;
    const bool feasible = verdict != Verdict::kInfeasible;
    if (is_observed(candidate)) {
      ++counts.observed;
      counts.failed += failed && is_of_shard(candidate);
    } else if (++counts.executions; candidate.again) {
      ++counts.again;
      counts.again_failed += failed;
    } else {
      ++(feasible ? counts.feasible : counts.infeasible);
      if (feasible) ++(failed ? counts.failed : counts.passed);
    }
    const std::uint64_t place = candidate.order + 1;
    if (failed && (counts.first_failure == 0 || place < counts.first_failure))
      counts.first_failure = place;
    counts.left = strategy_->left();
  }

  void take_failure(const Candidate& candidate, const Schedule& executed, const Failure& failure,
                    int cpu) {
    {
      const std::lock_guard guard(mutex_);
      if (stop_) return;  // another worker has found one
    }
    auto [confirmed, why] = confirm(options_, candidate, executed, failure, cpu);
    const std::lock_guard guard(mutex_);
    if (!confirmed) {
      ++result_.counts.unconfirmed;
      result_.unconfirmed.push_back(
          fmt::format("a run failed ({}) and is not reported: {}", failure.text, why));
      return;
    }
    confirmed->in_observed_run = is_observed(candidate);
    confirmed->order = candidate.order;
    confirmed->key = key_of(*confirmed);
    if (stop_ || !known_.insert(confirmed->key).second) return;
    result_.found.push_back(std::move(*confirmed));
    if (!options_.all) stop_ = true;
  }

  // The same failure by the same places is the same finding.
  static std::string key_of(const ConfirmedFailure& confirmed) {
    std::string key = confirmed.failure.text;
    for (const FindingStep& step : confirmed.finding.steps) {
      if (step.role.empty()) continue;
      const Site& site = confirmed.tables.sites[index(step.where.site)];
      key += fmt::format("|{} {}:{}:{}", step.role, site.file, site.line, site.column);
    }
    return key;
  }

  HuntOptions& options_;  // only the first run changes it
  const Clock::time_point deadline_;
  std::mutex mutex_;  // of all below
  HuntResult result_;
  std::unique_ptr<Strategy> strategy_;
  Coverage coverage_;  // of the runs that every shard makes
  CorpusSession corpus_;
  std::atomic<bool> stop_ = false;
  std::uint64_t order_ = 0;       // candidates so far, of all shards; the first run is none
  std::uint64_t handed_out_ = 0;  // of them those that are not observed
  std::set<std::string> known_;
};

}  // namespace

HuntResult hunt(const HuntOptions& asked) {
  HuntOptions options = asked;
  options.harness.deadline = Clock::now() + options.budget;
  return Hunter(options).run();
}

}  // namespace isosan
