// Minimising against programs that are functions: which schedules fail is decided here.
#include "hunt/minimise.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace isosan {
namespace {

Schedule of(std::vector<ScheduleStep> steps, std::string then) {
  Schedule schedule;
  schedule.steps = std::move(steps);
  schedule.first_after = std::move(then);
  return schedule;
}

bool has(const Schedule& schedule, const ScheduleStep& step) {
  return std::ranges::find(schedule.steps, step) != schedule.steps.end();
}

TEST(Minimise, KeepsTheStepsThatMatter) {
  const ScheduleStep one{"0.0", 5, 0};
  const ScheduleStep two{"0.1", 9, 0};
  Schedule start = of({{"0", 3, 0}, one, {"0.2", 4, 0}, two, {"0.0", 8, 0}, {"0.2", 6, 0}}, "0");
  const auto fails = [&](const Schedule& schedule, std::uint64_t& changes) {
    changes = schedule.steps.size() + 1;
    return has(schedule, one) && has(schedule, two);
  };
  const MinimisedSchedule small = minimise(start, 7, fails, 1000);
  EXPECT_EQ(small.schedule.steps, (std::vector<ScheduleStep>{one, two}));
  EXPECT_EQ(small.changes, 3u);
}

TEST(Minimise, CutsTheEndAndLetsTheNextThreadGoOn) {
  Schedule start;
  for (std::uint64_t i = 1; i <= 100; ++i) {
    start.steps.push_back({i % 2 == 0 ? "0.0" : "0.1", i, 0});
  }
  start.first_after = "0";
  // Fails as soon as 0.1 has got to its operation 7 before 0.0 is beyond 6.
  const auto fails = [](const Schedule& schedule, std::uint64_t& changes) {
    changes = schedule.steps.size() + 1;
    std::uint64_t other = 0;
    for (const ScheduleStep& step : schedule.steps) {
      if (step.thread == "0.0") other = step.until;
      if (step.thread == "0.1" && step.until >= 7) return other <= 6;
    }
    return false;
  };
  const MinimisedSchedule small = minimise(start, 101, fails, 1000);
  ASSERT_EQ(small.schedule.steps.size(), 1u);
  EXPECT_EQ(small.schedule.steps[0].thread, "0.1");
  EXPECT_GE(small.schedule.steps[0].until, 7u);
}

TEST(Minimise, TakesNothingThatDoesNotFail) {
  const Schedule start = of({{"0", 3, 0}, {"0.0", 5, 0}}, "0.1");
  const auto never = [](const Schedule&, std::uint64_t&) { return false; };
  EXPECT_EQ(minimise(start, 2, never, 1000).schedule, start);
}

TEST(Minimise, TakesNothingWithMoreChanges) {
  const Schedule start = of({{"0", 3, 0}, {"0.0", 5, 0}}, "0.1");
  const auto dearer = [](const Schedule&, std::uint64_t& changes) {
    changes = 9;
    return true;
  };
  EXPECT_EQ(minimise(start, 2, dearer, 1000).schedule, start);
}

TEST(Minimise, StopsAtItsLimit) {
  Schedule start;
  for (std::uint64_t i = 1; i <= 64; ++i) start.steps.push_back({i % 2 == 0 ? "0" : "0.0", i, 0});
  std::uint64_t trials = 0;
  const auto never = [&](const Schedule&, std::uint64_t&) { return ++trials, false; };
  EXPECT_EQ(minimise(start, 65, never, 20).trials, 20u);
  EXPECT_EQ(trials, 20u);
}

}  // namespace
}  // namespace isosan
