#include "hunt/confirm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hunt/anchors.h"
#include "hunt/minimise.h"
#include "hunt/observation.h"
#include "symbolize/member_names.h"
#include "symbolize/resolve.h"

namespace isosan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMostTrials = 300;
constexpr std::size_t kMostLines = 5;  // in which an output differs
constexpr std::size_t kMostRows = 20;
constexpr std::size_t kMostEvents = 20'000'000;  // of a run that is described

ScheduleRequest along(const Schedule& schedule) {
  ScheduleRequest request;
  request.schedule = schedule;
  return request;
}

class Confirmer {
 public:
  Confirmer(const HuntOptions& options, const Failure& failure, int cpu)
      : options_(options), failure_(failure), cpu_(cpu) {}

  bool fails(const Schedule& schedule, std::uint64_t& changes) const {
    const Execution execution = execute(options_.harness, along(schedule), cpu_);
    changes = execution.schedule.changes;
    return fails_alike(execution);
  }

  // Empty if every replay fails and every thread does the same in all of them. Otherwise: why not.
  std::string why_not_confirmed(const Schedule& schedule) const {
    std::optional<std::map<std::string, OperationDigest>> first;
    for (unsigned i = 0; i < options_.replays; ++i) {
      const Execution execution = execute(options_.harness, along(schedule), cpu_);
      if (was_cut(options_.harness, execution)) return over();
      if (!fails_alike(execution)) {
        return fmt::format("it failed alike in {} of the first {} replays", i, i + 1);
      }
      if (!first) first = execution.digests;
      if (ends_by_itself() && *first != execution.digests) {
        return "its threads did something else in a replay";
      }
    }
    return {};
  }
  // For a run that did not fail again.
  std::string why_not_again() const {
    return is_over() ? over() : "it did not fail again along the same schedule";
  }
  bool is_over() const { return Clock::now() >= options_.harness.deadline; }

  // Runs it once more and records its events.
  void add_story(ConfirmedFailure& confirmed, const Prediction* prediction) const {
    const ScheduleRequest request = along(confirmed.schedule);
    Observation observation(options_.harness, &request, *options_.rules, cpu_);
    std::vector<Event> events;
    observation.run([&](std::span<const Event> batch) {
      if (events.size() < kMostEvents) events.insert(events.end(), batch.begin(), batch.end());
    });
    const Execution& execution = observation.execution();
    confirmed.errors = execution.errors;
    confirmed.output = execution.output;
    if (failure_.kind == FailureKind::kSerial)
      confirmed.differs = difference(options_.harness, execution.output, kMostLines);
    confirmed.schedule.build_ids = observation.build_ids();
    name_members(events, observation.tables());
    confirmed.story = make_story(events, observation.tables(), execution, prediction, kMostRows);
    confirmed.finding = finding_of(confirmed.story, failure_, execution);
    add_anchors(confirmed.schedule, events, observation.tables());
    resolve_places({confirmed.finding}, observation.tables());
    name_members({confirmed.finding}, {}, observation.tables());
    confirmed.tables = observation.tables();
  }

 private:
  // A run that is ended has come so far in one replay, and farther in the next.
  bool ends_by_itself() const {
    return failure_.kind != FailureKind::kHang && failure_.kind != FailureKind::kLivelock;
  }
  static std::string over() { return "the budget was over before it was confirmed"; }

  bool fails_alike(const Execution& execution) const {
    const auto failure = judge(options_.harness, execution);
    return failure && failure->same_as(failure_);
  }

  const HuntOptions& options_;
  const Failure& failure_;
  int cpu_;
};

// A free run that got stuck is a hang. Forced along its schedule, it shows whether threads wait for
// each other, or go round.
Failure as_forced(const HuntOptions& options, const Schedule& executed, const Failure& seen,
                  int cpu) {
  if (seen.kind != FailureKind::kHang) return seen;
  const auto forced = judge(options.harness, execute(options.harness, along(executed), cpu));
  const bool says_more =
      forced && (forced->kind == FailureKind::kDeadlock || forced->kind == FailureKind::kLivelock);
  return says_more ? *forced : seen;
}

}  // namespace

Confirmation confirm(const HuntOptions& options, const Candidate& candidate,
                     const Schedule& executed, const Failure& seen, int cpu) {
  const auto began = Clock::now();
  const Failure failure = as_forced(options, executed, seen, cpu);
  const Confirmer confirmer(options, failure, cpu);
  ConfirmedFailure confirmed{
      .schedule = executed, .failure = failure, .story = {}, .finding = {}, .tables = {}};
  const bool forced = !candidate.request.schedule.steps.empty();
  // The predicted schedule is shorter. If its tail does not fail again, the executed one is used.
  if (forced && confirmer.fails(candidate.request.schedule, confirmed.changes_at_first)) {
    confirmed.schedule = candidate.request.schedule;
  } else if (!confirmer.fails(executed, confirmed.changes_at_first)) {
    return {std::nullopt, confirmer.why_not_again()};
  }
  // Minimising leaves time for the replays, and for some of them to be slower than any trial was.
  auto longest = Clock::now() - began;
  const auto trial = [&](const Schedule& schedule, std::uint64_t& changes) {
    const auto begin = Clock::now();
    if (options.harness.deadline - begin < longest * (2 * options.replays)) return false;
    const bool fails = confirmer.fails(schedule, changes);
    longest = std::max(longest, Clock::now() - begin);
    return fails;
  };
  const MinimisedSchedule small =
      minimise(confirmed.schedule, confirmed.changes_at_first, trial, kMostTrials);
  confirmed.schedule = small.schedule;
  confirmed.changes = small.changes;
  if (std::string why = confirmer.why_not_confirmed(confirmed.schedule); !why.empty()) {
    return {std::nullopt, std::move(why)};
  }
  confirmed.replays = options.replays;
  confirmer.add_story(confirmed, candidate.prediction ? &*candidate.prediction : nullptr);
  confirmed.schedule.notes = {fmt::format("command {}", fmt::join(options.harness.command, " ")),
                              fmt::format("{}{}", kFailureNote, failure.text)};
  if (failure.kind == FailureKind::kLivelock)
    confirmed.schedule.notes.push_back(fmt::format("{}{}", kStillNote, options.harness.most_still));
  if (const auto intruder = intruder_of(confirmed.story, confirmed.tables))
    confirmed.schedule.notes.push_back(as_note(*intruder));
  return {std::move(confirmed), {}};
}

}  // namespace isosan
