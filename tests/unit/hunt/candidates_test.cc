// The shapes of a predicted schedule: T1 = 0.0 with e1 at operation 2 and e2 at 9, T2 = 0.1 with f
// at operation 4.
#include "hunt/candidates.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

Candidate predicted(bool unlocked) {
  Candidate candidate;
  candidate.victim = "0.0";
  candidate.request.schedule.steps = {{"0", 7, 0}, {"0.0", 5, 0}, {"0.1", 5, 0}};
  candidate.request.schedule.first_after = "0.1";
  candidate.prediction = Prediction{.pattern = Pattern::kRww, .unlocked = unlocked};
  candidate.prediction->operations = {{ThreadId{1}, 2}, {ThreadId{2}, 4}, {ThreadId{1}, 9}};
  return candidate;
}

using Steps = std::vector<ScheduleStep>;

TEST(Shapes, T1StopsWhereItHoldsNoLock) {
  const auto shaped = reshaped(predicted(true), {});
  EXPECT_EQ(shaped->request.schedule.steps,
            (Steps{{"0", 7, 0}, {"0.0", 3, kUnlocked}, {"0.1", 5, 0}}));
  EXPECT_EQ(shaped->request.schedule.first_after, "0.1");
  EXPECT_EQ(shaped->request.last_after, "0.0");
}

TEST(Shapes, T1StopsAsObservedWhereItHoldsALock) {
  EXPECT_EQ(reshaped(predicted(false), {})->request.schedule.steps,
            predicted(false).request.schedule.steps);
}

TEST(Shapes, T1StopsAsObservedWhereItHasPassedE1Before) {
  Candidate candidate = predicted(true);
  candidate.request.schedule.steps = {{"0.0", 4, 0}, {"0.1", 2, 0}, {"0.0", 5, 0}, {"0.1", 5, 0}};
  EXPECT_EQ(reshaped(candidate, {})->request.schedule.steps, candidate.request.schedule.steps);
}

TEST(Shapes, T1GoesOnWhenT2HasReleasedItsLocks) {
  const auto shaped = reshaped(predicted(false), {.returns = true});
  EXPECT_EQ(shaped->request.schedule.steps.back(), (ScheduleStep{"0.1", 5, kUnlocked}));
  EXPECT_EQ(shaped->request.schedule.first_after, "0.0");
  EXPECT_EQ(shaped->request.last_after, "");
}

TEST(Shapes, ALateCutIsRightBeforeE2) {
  const auto shaped = reshaped(predicted(true), {.late = true});
  EXPECT_EQ(shaped->request.schedule.steps[1], (ScheduleStep{"0.0", 9, 0}));
  Candidate late_already = predicted(true);
  late_already.request.schedule.steps[1].until = 9;
  EXPECT_FALSE(reshaped(late_already, {.late = true}));
}

TEST(Shapes, ADeadlockHasOne) {
  Candidate candidate = predicted(false);
  candidate.prediction->pattern = Pattern::kDeadlock;
  EXPECT_EQ(reshaped(candidate, {})->request.schedule.steps, candidate.request.schedule.steps);
  EXPECT_FALSE(reshaped(candidate, {.returns = true}));
}

}  // namespace
}  // namespace isosan
