#include "suite/run/watched.h"

#include <gtest/gtest.h>

#include "unit/suite/findings.h"

namespace isosan::suite {
namespace {

Json report(const Json& stats) { return {{"findings", Json::array()}, {"stats", stats}}; }

TestResult watched(const Json& json, int status, bool timed_out = false,
                   const TestCase& test = {}) {
  TestResult result;
  ProcessOutcome outcome;
  outcome.status = status;
  outcome.timed_out = timed_out;
  outcome.errors = "some text\nisosan: because\n";
  outcome.output = "[  SKIPPED ] 1 test, listed below:\n";
  read_watch(result, test, json, outcome);
  return result;
}

TEST(Watched, VerdictComesFromTheProgramNotFromIsosan) {
  EXPECT_EQ(watched(report({{"exit_status", 0}}), 66).verdict, Verdict::kPassed);
  EXPECT_EQ(watched(report({{"exit_status", 1}}), 66).verdict, Verdict::kFailed);
  EXPECT_EQ(watched(report({{"ended_by", "SIGABRT"}}), 134).note, "SIGABRT");
  EXPECT_EQ(watched(Json(), 68).verdict, Verdict::kNotInstrumented);
  EXPECT_EQ(watched(Json(), 2).verdict, Verdict::kError);
  EXPECT_EQ(watched(Json(), 2).note, "because");
  EXPECT_EQ(watched(report({{"error", "damaged"}}), 2).verdict, Verdict::kError);
  EXPECT_EQ(watched(Json(), 143, true).verdict, Verdict::kHangs);
}

TEST(Watched, ATestSkipsItselfByATextOrByAStatus) {
  TestCase test;
  EXPECT_EQ(watched(report({{"exit_status", 0}}), 0, false, test).verdict, Verdict::kPassed);
  test.skip_mark = "[  SKIPPED ] 1 test";
  EXPECT_EQ(watched(report({{"exit_status", 0}}), 0, false, test).verdict, Verdict::kSkipped);
  test.skip_mark.clear();
  test.skip_status = 77;
  EXPECT_EQ(watched(report({{"exit_status", 77}}), 77, false, test).verdict, Verdict::kSkipped);
  EXPECT_EQ(watched(report({{"exit_status", 1}}), 1, false, test).verdict, Verdict::kFailed);
}

TEST(Watched, WhatAFailedTestWroteIsKeptWithoutOurLines) {
  TestResult result;
  ProcessOutcome outcome;
  outcome.errors =
      "x.cc:3: Assertion failed\n==================\nWARNING: IsoSan\n==================\n"
      "IsoSan: watched\nSUMMARY: IsoSan: 1 finding\n";
  read_watch(result, {}, report({{"exit_status", 1}}), outcome);
  EXPECT_EQ(result.output, std::vector<std::string>{"x.cc:3: Assertion failed"});
}

TEST(Watched, TheFirstInstrumentedProcessCounts) {
  const Json server{
      {"threads", 4}, {"uncontended", false}, {"instrumented_modules", {"/b/server"}}};
  const Json client{{"threads", 9}, {"uncontended", true}, {"instrumented_modules", {"/b/client"}}};
  const Json stats{{"exit_status", 0},
                   {"processes", Json::array({Json{{"stats", server}}, Json{{"stats", client}}})}};
  const TestResult result = watched(report(stats), 0);
  EXPECT_EQ(result.threads, 4u);
  EXPECT_TRUE(result.contended);
  EXPECT_EQ(modules_of(report(stats)), (std::vector<std::string>{"/b/client", "/b/server"}));
}

TEST(Watched, AHuntThatTheBudgetEndedIsNotWhole) {
  const Json found{{"findings", {1}}, {"stats", {{"stopped", "x"}}}};
  EXPECT_TRUE(tried_all(report(Json::object())));
  EXPECT_FALSE(tried_all(report({{"stopped", "the budget is over"}})));
  EXPECT_TRUE(tried_all(found));
  EXPECT_FALSE(tried_all(Json()));
}

TEST(Watched, ReplayRunsWhereTheTestRan) {
  Json one = failure();
  one["schedule"] = "/s";
  one["notes"] = {"other", "replay: isosan replay /s -- ./t"};
  TestCase test;
  test.name = "t";
  test.folder = "/my build";
  test.environment = {{"A", "1 2"}};
  const Json hunted{{"findings", {one}},
                    {"stats", {{"analyses", {{"hunt", {{"executions", 3}, {"observed", 2}}}}}}}};
  const std::vector<Sighting> failures = failures_of(test, hunted);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].replay, "cd '/my build' && env 'A=1 2' isosan replay /s -- ./t");
  EXPECT_EQ(schedules_of(hunted), 5u);
}

}  // namespace
}  // namespace isosan::suite
