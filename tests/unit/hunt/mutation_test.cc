// Schedules that begin as an earlier run: which runs are kept, and what a mutant has of them.
#include "hunt/mutation.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

Execution executed(std::uint64_t changes) {
  Execution execution{.status = {}, .schedule = {}};
  for (std::uint64_t i = 0; i < changes; ++i) {
    execution.schedule.taken.push_back({i % 2 == 0 ? "0.0" : "0.1", 10 * (i + 1), 0});
  }
  return execution;
}

void learn(Mutation& mutation, const Execution& execution, std::uint64_t news, bool feasible) {
  mutation.learn({}, {.execution = execution, .feasible = feasible, .news = news});
}

TEST(Mutation, KeepsFeasibleRunsThatShowedSomethingNewAndChangedThread) {
  Mutation mutation(1);
  EXPECT_FALSE(mutation.has_next());
  learn(mutation, executed(3), 0, true);
  learn(mutation, executed(3), 2, false);
  learn(mutation, executed(0), 2, true);
  EXPECT_FALSE(mutation.has_next());
  EXPECT_FALSE(mutation.next());
  learn(mutation, executed(3), 2, true);
  EXPECT_TRUE(mutation.has_next());
}

TEST(Mutation, BeginsAsTheRunAndGoesOnByChance) {
  Mutation mutation(1);
  const Execution run = executed(4);
  learn(mutation, run, 1, true);
  std::vector<bool> lengths(5);
  for (int i = 0; i < 100; ++i) {
    const auto candidate = mutation.next();
    ASSERT_TRUE(candidate);
    const std::vector<ScheduleStep>& steps = candidate->request.schedule.steps;
    ASSERT_FALSE(steps.empty());
    ASSERT_LE(steps.size(), 4u);
    EXPECT_TRUE(std::equal(steps.begin(), steps.end(), run.schedule.taken.begin()));
    EXPECT_NE(candidate->request.policy, log::Policy::kRunOn);
    EXPECT_TRUE(candidate->observed);
    EXPECT_FALSE(candidate->prediction);
    lengths[steps.size()] = true;
  }
  EXPECT_EQ(lengths, (std::vector<bool>{false, true, true, true, true}));
}

TEST(Mutation, DrawsTheSameFromTheSameSeed) {
  Mutation one(7), same(7), other(8);
  for (Mutation* mutation : {&one, &same, &other}) learn(*mutation, executed(9), 1, true);
  bool differs = false;
  for (int i = 0; i < 20; ++i) {
    const auto a = one.next(), b = same.next(), c = other.next();
    EXPECT_EQ(a->request.schedule, b->request.schedule);
    EXPECT_EQ(a->request.seed, b->request.seed);
    differs |= a->request.seed != c->request.seed;
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace isosan
