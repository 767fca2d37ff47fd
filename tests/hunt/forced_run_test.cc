// Forced runs: the run as it went, replayed, is the same run; steps that cannot be taken are known.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <sstream>
#include <string>

#include "hunt/execution.h"
#include "hunt/observation.h"
#include "hunt/shared_use.h"
#include "trace/schedule_file.h"

namespace isosan {
namespace {

Harness harness_of(const std::string& program) {
  return {
      .command = {PROGRAMS + program}, .milliseconds = 60000, .expected_output = {}, .fail_if = {}};
}

ScheduleRequest along(const Schedule& schedule) {
  ScheduleRequest request;
  request.schedule = schedule;
  return request;
}

std::vector<std::string> programs() {
  std::istringstream words(PROGRAM_LIST);
  return {std::istream_iterator<std::string>(words), {}};
}

bool is_long() {
  const char* mode = std::getenv("ISOSAN_TEST_MODE");
  return mode != nullptr && std::string(mode) == "long";
}

class Replay : public testing::TestWithParam<std::string> {};

std::string outcome_of(const Harness& harness, const Execution& execution) {
  const auto failure = judge(harness, execution);
  return failure ? failure->text : "passed";
}

void expect_replays(const Harness& harness, const ScheduleRequest& request) {
  const Execution first = execute(harness, request);
  ASSERT_TRUE(first.attached);
  ASSERT_GT(first.operations(), 0u);
  // Through the file, as a user's replay.
  const Schedule went = parse_schedule(print_schedule(schedule_of(first)), "went");
  for (int i = 0; i < 5; ++i) {
    const Execution again = execute(harness, along(went));
    ASSERT_NE(again.schedule.state, log::RunState::kLeft) << why_left(again);
    EXPECT_EQ(outcome_of(harness, again), outcome_of(harness, first));
    for (const auto& [path, digest] : first.digests) {
      EXPECT_EQ(again.digests.at(path).operations, digest.operations) << "thread " << path;
      EXPECT_EQ(again.digests.at(path).hash, digest.hash) << "thread " << path;
    }
    EXPECT_EQ(again.output, first.output);
  }
}

TEST_P(Replay, OfARandomScheduleIsTheSameRun) {
  const Harness harness = harness_of(GetParam());
  const std::uint64_t schedules = is_long() ? 20 : 2;  // of ten programs
  for (std::uint64_t seed = 1; seed <= schedules; ++seed) {
    SCOPED_TRACE(seed);
    ScheduleRequest request;
    request.policy = log::Policy::kRandom;
    request.seed = seed;
    expect_replays(harness, request);
  }
}

TEST_P(Replay, OfAPriorityScheduleIsTheSameRun) {
  ScheduleRequest request;
  request.policy = log::Policy::kPct;
  request.seed = 7;
  request.pct_length = 100;
  expect_replays(harness_of(GetParam()), request);
}

TEST_P(Replay, OfASampledScheduleIsTheSameRun) {
  ScheduleRequest request;
  request.seed = 5;
  for (const log::Policy policy : {log::Policy::kPos, log::Policy::kSurw}) {
    request.policy = policy;
    expect_replays(harness_of(GetParam()), request);
  }
}

TEST_P(Replay, TheSameSeedIsTheSameRun) {
  const Harness harness = harness_of(GetParam());
  ScheduleRequest request;
  request.seed = 3;
  for (const log::Policy policy : {log::Policy::kRandom, log::Policy::kPos, log::Policy::kSurw}) {
    request.policy = policy;
    const Execution one = execute(harness, request);
    const Execution two = execute(harness, request);
    EXPECT_EQ(one.digests, two.digests);
    EXPECT_EQ(one.schedule.taken, two.schedule.taken);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Replay, testing::ValuesIn(programs()),
                         [](const auto& test) { return test.param; });

Execution forced(const std::string& program, std::vector<ScheduleStep> steps) {
  ScheduleRequest request;
  request.schedule.steps = std::move(steps);
  return execute(harness_of(program), request);
}

TEST(Infeasible, AThreadThatIsNotBornYet) {
  const Execution run = forced("account", {{"0.7", 1, 0}});
  EXPECT_EQ(run.schedule.state, log::RunState::kLeft);
  EXPECT_EQ(run.schedule.why, log::LeftBecause::kNotBorn);
  EXPECT_FALSE(was_feasible(run, judge(harness_of("account"), run)));
}

TEST(Infeasible, AThreadThatWaits) {
  const Execution run = forced("account", {{"0", 1000000, 0}});  // it joins the others
  EXPECT_EQ(run.schedule.state, log::RunState::kLeft);
  EXPECT_EQ(run.schedule.why, log::LeftBecause::kBlocked);
}

TEST(Infeasible, AThreadThatEndsTooEarly) {
  const Execution free = forced("account", {});
  const std::uint64_t before_join = free.schedule.taken.at(0).until;
  const Execution run = forced("account", {{"0", before_join, 0}, {"0.0", 1000000, 0}});
  EXPECT_EQ(run.schedule.state, log::RunState::kLeft);
  EXPECT_EQ(run.schedule.why, log::LeftBecause::kEnded);
}

// Thread 0.0 of account reads the balance under the lock, releases it, and takes it again to write:
// wherever its step ends, it goes on to a point at which 0.1 can take the lock.
TEST(Steps, UntilUnlockedEndBehindTheRelease) {
  const std::uint64_t before_join = forced("account", {}).schedule.taken.at(0).until;
  std::set<std::uint64_t> ends;
  for (std::uint64_t until = 1; until <= 6; ++until) {
    ScheduleRequest request;
    request.schedule.steps = {{"0", before_join, 0}, {"0.0", until, kUnlocked}};
    request.schedule.first_after = "0.1";
    const Execution run = execute(harness_of("account"), request);
    ASSERT_EQ(run.schedule.state, log::RunState::kBehind);
    EXPECT_EQ(run.schedule.taken.at(1).thread, "0.0");
    EXPECT_GE(run.schedule.taken.at(1).until, until);
    EXPECT_EQ(run.schedule.taken.at(2).thread, "0.1");
    EXPECT_EQ(run.schedule.taken.at(2).beyond, 0u) << "it has waited for no lock";
    ends.insert(run.schedule.taken.at(1).until);
  }
  EXPECT_LT(ends.size(), 6u);
}

TEST(Steps, TheThreadThatGoesLastRunsWhenNoOtherCan) {
  const Execution free = forced("account", {});
  ScheduleRequest request;
  request.schedule.steps = {{"0", free.schedule.taken.at(0).until, 0}};
  request.last_after = "0.0";
  const Execution run = execute(harness_of("account"), request);
  ASSERT_GE(run.schedule.taken.size(), 2u);
  EXPECT_EQ(run.schedule.taken.at(1).thread, "0.1");
}

TEST(Surw, TriesBothOrdersOfTwoThreadsAtAnObject) {
  SharedUse shared;
  const Harness harness = harness_of("account");
  const RegionRules rules;
  const ScheduleRequest first;
  Observation observed(harness, &first, rules, -1);
  observed.run([&](std::span<const Event> batch) { shared.feed(batch); });
  const std::vector<SelectedObject> objects = shared.objects(observed.tables());
  ASSERT_FALSE(objects.empty());
  std::set<std::string> second_to_run;
  ScheduleRequest request;
  request.policy = log::Policy::kSurw;
  request.selected = objects.front();
  for (request.seed = 1; request.seed <= 20; ++request.seed) {
    for (const ScheduleStep& step : execute(harness, request).schedule.taken) {
      if (step.thread == "0" || step.until < 2) continue;
      second_to_run.insert(step.thread);
      break;
    }
  }
  EXPECT_EQ(second_to_run.size(), 2u);
}

TEST(Deadlock, IsRecognisedWithWhoWaitsForWhat) {
  ScheduleRequest request;
  request.policy = log::Policy::kPct;
  for (request.seed = 1; request.seed < 200; ++request.seed) {
    request.pct_length = 40;
    const Execution run = execute(harness_of("lock_order"), request);
    if (run.schedule.state != log::RunState::kDeadlock) continue;
    int lock_waits = 0;
    for (const ThreadAtEnd& thread : run.schedule.threads) {
      lock_waits += thread.waits == log::Waits::kLock;
    }
    EXPECT_EQ(lock_waits, 2);
    EXPECT_EQ(judge(harness_of("lock_order"), run)->kind, FailureKind::kDeadlock);
    return;
  }
  FAIL() << "no schedule of two hundred deadlocks";
}

TEST(Programs, AreKnownByTheirBuild) {
  const std::string account = std::string(PROGRAMS) + "account";
  EXPECT_EQ(build_id_of(account), build_id_of(account));
  EXPECT_NE(build_id_of(account), build_id_of(std::string(PROGRAMS) + "lock_order"));
  EXPECT_EQ(find_program(account), account);
  EXPECT_EQ(find_program("no-such-program"), "");
}

}  // namespace
}  // namespace isosan
