#include "hunt/hunt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "hunt/candidates.h"
#include "hunt/confirm.h"
#include "hunt/observation.h"
#include "hunt/sequences.h"
#include "predict/predictor.h"
#include "symbolize/resolve.h"

namespace isosan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRunsWithoutSchedule = 3;
// Without --all.
constexpr unsigned kMostPerKey = 8;               // tried predictions with the same key_of()
constexpr std::uint64_t kMostPredictions = 1000;  // of one observed run

constexpr int kReplaysOfTheFirst = 2;

// What is known of the uncontrolled inputs of the program.
std::string uncontrolled(const ScheduleOutcome& run, std::uint32_t fixed) {
  const std::uint32_t open = run.asked_world & ~fixed;
  std::vector<std::string> sources;
  if (open & log::kClock) sources.push_back("reads the clock (--fix-time)");
  if (open & log::kRandom) sources.push_back("draws random numbers (--fix-random)");
  if (open & log::kOutside) sources.push_back("waits for descriptors, processes or signals");
  return sources.empty() ? "It depends on input, files or processes that are not controlled"
                         : fmt::format("It {}", fmt::join(sources, " and "));
}

// Replays a run along its own schedule, twice. Returns where a thread did something else; empty:
// nowhere.
std::string replay_twice(const Sequences& recorded, const Execution& run,
                         const HuntOptions& options) {
  ScheduleRequest request;
  request.schedule = schedule_of(run);
  for (int i = 0; i < kReplaysOfTheFirst; ++i) {
    Observation replay(options.harness, &request, *options.rules);
    Sequences again;
    replay.run([&](std::span<const Event> batch) { again.feed(batch); });
    again.finish(replay.tables());
    if (const auto divergence = recorded.divergence(again)) {
      return fmt::format(
          "the recorded schedule does not give the same run again: thread {} parted at its "
          "operation {}: {} when recorded, {} when replayed. {}",
          divergence->thread, divergence->index, divergence->one, divergence->other,
          uncontrolled(run.schedule, options.harness.fixed));
    }
  }
  return {};
}

class Hunter {
 public:
  explicit Hunter(const HuntOptions& options)
      : options_(options), deadline_(options.harness.deadline) {}

  HuntResult run() {
    const bool predicts = options_.strategy == Strategy::kPenelope;
    const unsigned rounds = predicts ? options_.observe : 1;
    for (unsigned i = 0; i < rounds && !is_over(); ++i) {
      observe_once(observation(i));
      if (!is_over()) work_together();
    }
    count_left();
    result_.stopped = why_stopped();
    return std::move(result_);
  }

 private:
  bool is_over() const {
    return !result_.cannot.empty() || stop_ || Clock::now() > deadline_ ||
           result_.counts.executions >= options_.max_schedules;
  }

  std::string why_stopped() const {
    if (stop_ || !result_.cannot.empty()) return {};
    if (Clock::now() > deadline_) {
      return fmt::format("the budget of {} s is over (--budget)", options_.budget.count());
    }
    // By chance there is always a next one, which another shard may have tried.
    const bool by_chance = options_.strategy != Strategy::kPenelope;
    const std::uint64_t tried = by_chance ? next_ : result_.counts.executions;
    return tried >= options_.max_schedules
               ? fmt::format("stopped after {} schedules (--max-schedules)", options_.max_schedules)
               : std::string();
  }

  // The first observation runs each thread until it blocks. Later ones take threads in another
  // order and change at random: other branches are taken, from which more can be predicted.
  ScheduleRequest observation(unsigned round) const {
    ScheduleRequest request;
    request.seed = options_.seed + round;
    request.pct_depth = 1 + round / 2 % 3;
    request.pct_length = operations_;
    request.policy = round == 0       ? log::Policy::kRunOn
                     : round % 2 == 1 ? log::Policy::kPct
                                      : log::Policy::kRandom;
    return request;
  }

  void work_together() {
    std::vector<std::thread> workers;
    for (unsigned i = 1; i < options_.jobs; ++i) workers.emplace_back([this, i] { work(i); });
    work(0);
    for (std::thread& worker : workers) worker.join();
  }

  void observe_once(const ScheduleRequest& request) {
    Observation observation(options_.harness, &request, *options_.rules);
    const bool predicts = options_.strategy == Strategy::kPenelope;
    Predictor predictor(observation.tables(), {.threads_are_regions = options_.threads_are_regions,
                                               .loops = options_.loops});
    Sequences sequences;
    const bool first = result_.counts.observed == 0;
    observation.run([&](std::span<const Event> batch) {
      if (predicts) predictor.feed(batch);
      if (first) sequences.feed(batch);
    });
    const Execution& execution = observation.execution();
    if (!execution.attached || execution.accesses == 0) {
      result_.cannot =
          fmt::format("nothing of '{}' was instrumented: build it with 'isosan cc' or 'isosan c++'",
                      options_.harness.command[0]);
      return;
    }
    if (was_cut(options_.harness, execution)) {
      if (first) result_.cannot = "the budget was over before the first run had ended (--budget)";
      return;
    }
    if (const std::string why = cannot_be_scheduled(execution); !why.empty()) {
      result_.cannot = fmt::format("'{}' cannot be hunted: {}", options_.harness.command[0], why);
      return;
    }
    operations_ = execution.operations();
    ++result_.counts.observed;
    if (first) result_.build_ids = observation.build_ids();
    if (first && options_.check_tables) options_.check_tables(observation.tables());
    if (const auto failure = judge(options_.harness, execution)) {
      if ((first && fails_without_schedule()) || !owns(request)) return;
      take_failure(Candidate{.order = next_}, schedule_of(execution), *failure, processor_for(0),
                   true);
      return;
    }
    if (first) {
      sequences.finish(observation.tables());
      result_.diverged = replay_twice(sequences, execution, options_);
    }
    if (predicts) take_predictions(predictor, observation.tables());
  }

  void take_predictions(Predictor& predictor, Tables& tables) {
    std::vector<Prediction> fresh = predictor.predictions(limits());
    std::erase_if(fresh,
                  [&](const Prediction& prediction) { return is_tried(prediction, tables); });
    const auto names = options_.keeps_tried ? resolved(tables, fresh) : nullptr;
    std::vector<Candidate> later;
    for (const Prediction& prediction : fresh) {
      ++result_.counts.predicted;
      if (prediction.in_observed_run) {  // where it passed
        ++result_.counts.in_observed_run;
        keep(prediction, names, false, Verdict::kObserved);
        continue;
      }
      Candidate candidate;
      candidate.request.schedule = predictor.schedule(prediction);
      candidate.prediction = prediction;
      if (auto late = with_late_cut(candidate, tables)) {
        late->number = keep(prediction, names, true, Verdict::kNotRun);
        later.push_back(std::move(*late));
      }
      candidate.number = keep(prediction, names, false, Verdict::kNotRun);
      candidates_.push_back(std::move(candidate));
    }
    candidates_.insert(candidates_.end(), std::make_move_iterator(later.begin()),
                       std::make_move_iterator(later.end()));
  }

  PredictLimits limits() const {
    const std::uint64_t most = options_.all ? kNoLimit : kMostPredictions;
    const std::uint64_t predictions = std::min(options_.max_schedules, most);
    return {.predictions = predictions == kNoLimit ? 0 : predictions,
            .per_place = options_.all ? 0 : PredictLimits{}.per_place};
  }

  // With --all: the same operations of an earlier observed run. Otherwise places count, not how
  // often a thread came by.
  bool is_tried(const Prediction& prediction, const Tables& tables) {
    std::string key = key_of(prediction, tables);
    if (!options_.all) return ++tried_[key] > kMostPerKey;
    for (const PredictedOperation& one : prediction.operations)
      key += fmt::format("|{} {:x}", one.index, one.address);
    return !tried_.try_emplace(std::move(key), 1).second;
  }

  static std::shared_ptr<const Tables> resolved(const Tables& tables,
                                                const std::vector<Prediction>& predictions) {
    std::vector<Where> places;
    for (const Prediction& prediction : predictions) {
      for (const PredictedOperation& one : prediction.operations) {
        places.push_back({0, one.thread, one.site, one.context});
      }
    }
    auto known = std::make_shared<Tables>(tables);
    resolve_places({}, places, *known);
    return known;
  }

  std::optional<std::size_t> keep(const Prediction& prediction,
                                  const std::shared_ptr<const Tables>& tables, bool late,
                                  Verdict verdict) {
    if (!options_.keeps_tried) return std::nullopt;
    result_.tried.push_back({prediction, tables, late, verdict, ""});
    return result_.tried.size() - 1;
  }

  // A program that always fails needs no hunt. Asked only if no observed run has passed.
  bool fails_without_schedule() {
    std::string text;
    for (int i = 0; i < kRunsWithoutSchedule; ++i) {
      const auto failure = judge(options_.harness, execute_freely(options_.harness));
      if (!failure) return false;
      text = failure->text;
    }
    result_.cannot =
        fmt::format("'{}' fails in every run without help ({})", options_.harness.command[0], text);
    return true;
  }

  bool owns(const ScheduleRequest& request) const {
    return options_.shard.count == 1 || options_.shard.owns(identity_of(request));
  }

  // The next one of this shard.
  std::optional<Candidate> next_candidate() {
    for (;;) {
      const std::uint64_t order = next_;
      std::optional<Candidate> candidate = next_of_all();
      if (candidate) candidate->order = order;
      if (!candidate || owns(candidate->request)) return candidate;
    }
  }

  std::optional<Candidate> next_of_all() {
    if (is_over()) return std::nullopt;
    const std::uint64_t n = next_++;
    if (options_.strategy == Strategy::kPenelope) {
      if (n >= candidates_.size()) {
        next_ = candidates_.size();
        return std::nullopt;
      }
      return candidates_[n];
    }
    if (n >= options_.max_schedules) {
      next_ = options_.max_schedules;
      return std::nullopt;
    }
    return random_candidate(options_.strategy, options_.seed, n, operations_);
  }

  void work(unsigned job) {
    const int cpu = processor_for(job);
    for (;;) {
      std::optional<Candidate> candidate;
      {
        const std::lock_guard guard(mutex_);
        candidate = next_candidate();
        if (!candidate) return;
      }
      candidate->free ? try_freely(*candidate, cpu) : try_forced(*candidate, cpu);
    }
  }

  void try_forced(const Candidate& candidate, int cpu) {
    const Execution execution = execute(options_.harness, candidate.request, cpu);
    if (was_cut(options_.harness, execution)) return;
    const auto failure = judge(options_.harness, execution);
    const bool feasible = was_feasible(execution, failure);
    note(candidate, feasible, failure);
    if (candidate.number) {
      const std::lock_guard guard(mutex_);
      TriedSchedule& tried = result_.tried[*candidate.number];
      tried.verdict = !feasible ? Verdict::kInfeasible
                      : failure ? Verdict::kFailed
                                : Verdict::kPassed;
      tried.why = why_left(execution);
    }
    if (failure) take_failure(candidate, schedule_of(execution), *failure, cpu, false);
  }

  void try_freely(const Candidate& candidate, int cpu) {
    Observation observation(options_.harness, nullptr, *options_.rules);
    OrderRecorder order;
    observation.run([&](std::span<const Event> batch) { order.feed(batch); });
    if (was_cut(options_.harness, observation.execution())) return;
    const auto failure = judge(options_.harness, observation.execution());
    note(candidate, true, failure);
    if (failure) {
      take_failure(candidate, order.schedule(observation.tables()), *failure, cpu, false);
    }
  }

  void note(const Candidate& candidate, bool feasible, const std::optional<Failure>& failure) {
    const std::lock_guard guard(mutex_);
    HuntCounts& counts = result_.counts;
    ++counts.executions;
    if (candidate.late) {
      ++counts.late;
      counts.late_failed += feasible && failure;
    } else {
      ++(feasible ? counts.feasible : counts.infeasible);
      if (feasible) ++(failure ? counts.failed : counts.passed);
    }
    const std::uint64_t place = candidate.order + 1;
    if (failure && (counts.first_failure == 0 || place < counts.first_failure))
      counts.first_failure = place;
    count_left();
    if (options_.progress) options_.progress(counts);
  }

  void count_left() {
    const bool predicts = options_.strategy == Strategy::kPenelope;
    const std::uint64_t all = predicts                             ? candidates_.size()
                              : options_.max_schedules != kNoLimit ? options_.max_schedules
                                                                   : 0;  // unlimited
    result_.counts.left = all - std::min(next_, all);
  }

  void take_failure(const Candidate& candidate, const Schedule& executed, const Failure& failure,
                    int cpu, bool observed) {
    {
      const std::lock_guard guard(mutex_);
      if (stop_) return;  // another worker has found one
    }
    auto [confirmed, why] = confirm(options_, candidate, executed, failure, cpu);
    const std::lock_guard guard(mutex_);
    if (observed) ++result_.counts.failed;
    if (!confirmed) {
      ++result_.counts.unconfirmed;
      result_.unconfirmed.push_back(
          fmt::format("a run failed ({}) and is not reported: {}", failure.text, why));
      return;
    }
    confirmed->in_observed_run = observed;
    confirmed->order = candidate.order;
    confirmed->key = key_of(*confirmed);
    if (stop_ || !known_.insert(confirmed->key).second) return;
    result_.found.push_back(std::move(*confirmed));
    if (!options_.all) stop_ = true;
  }

  // The same pattern at the same places in the same threads.
  static std::string key_of(const Prediction& prediction, const Tables& tables) {
    std::string key(name_of(prediction.pattern));
    for (const PredictedOperation& one : prediction.operations) {
      const Site& site = tables.sites[index(one.site)];
      key += fmt::format("|{} {} {}:{}:{} {:x}", tables.threads[index(one.thread)].birth_path,
                         name_of(one.kind), site.file, site.line, site.column, site.pc);
    }
    return key;
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

  const HuntOptions& options_;
  const Clock::time_point deadline_;
  std::mutex mutex_;
  HuntResult result_;
  std::vector<Candidate> candidates_;
  std::uint64_t next_ = 0;
  std::uint64_t operations_ = 0;
  std::atomic<bool> stop_ = false;
  std::set<std::string> known_;
  std::map<std::string, unsigned> tried_;  // predictions, by key
};

}  // namespace

HuntResult hunt(const HuntOptions& asked) {
  HuntOptions options = asked;
  options.harness.deadline = Clock::now() + options.budget;
  return Hunter(options).run();
}

}  // namespace isosan
