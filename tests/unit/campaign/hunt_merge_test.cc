#include "campaign/hunt_merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isosan::campaign {
namespace {

using testing::ElementsAre;
using Json = HuntMerge::Json;

Json failure(int order, const std::string& key) {
  return {{"order", order},
          {"key", key},
          {"schedule", "x/bank.1.schedule"},
          {"schedule_text", "text of " + std::to_string(order)},
          {"notes", {"replay: isosan replay x/bank.1.schedule -- ./bank"}}};
}

Json schedule(const std::string& message, const std::string& verdict) {
  return {{"message", message}, {"verdict", verdict}};
}

Json report(std::vector<Json> findings, std::vector<Json> schedules, int executions, int first) {
  return {
      {"findings", findings},
      {"schedules", schedules},
      {"shard", {{"index", 1}}},
      {"stats",
       {{"analyses",
         {{"hunt", {{"observed", 5}, {"executions", executions}, {"first-failure", first}}}}}}}};
}

TEST(HuntMerge, OfFailuresWithOneKeyTheFirstStays) {
  HuntMerge merge;
  merge.add(report({failure(7, "a"), failure(3, "b")}, {}, 2, 4));
  merge.add(report({failure(2, "a")}, {}, 1, 3));
  EXPECT_THAT(merge.schedules(), ElementsAre("text of 2", "text of 3"));
  const Json merged = merge.report("out", "bank");
  ASSERT_EQ(merged["findings"].size(), 2u);
  EXPECT_EQ(merged["findings"][1]["schedule"], "out/bank.2.schedule");
  EXPECT_EQ(merged["findings"][1]["notes"][0],
            "replay: isosan replay out/bank.2.schedule -- ./bank");
  EXPECT_FALSE(merged["findings"][0].contains("key"));
  EXPECT_FALSE(merged.contains("shard"));
}

TEST(HuntMerge, AScheduleHasTheOutcomeOfTheShardThatRanIt) {
  HuntMerge merge;
  merge.add(report({}, {schedule("a", "not-run"), schedule("a", "passed")}, 1, 0));
  merge.add(report({}, {schedule("a", "failed"), schedule("a", "not-run")}, 1, 1));
  const Json merged = merge.report("out", "bank");
  ASSERT_EQ(merged["schedules"].size(), 2u);
  EXPECT_EQ(merged["schedules"][0]["verdict"], "failed");
  EXPECT_EQ(merged["schedules"][1]["verdict"], "passed");
}

TEST(HuntMerge, CountersAreAddedOrTakenOnce) {
  HuntMerge merge;
  merge.add(report({}, {}, 2, 0));
  merge.add(report({}, {}, 3, 9));
  merge.add(report({}, {}, 4, 4));
  EXPECT_EQ(merge.counter("observed"), 5u);
  EXPECT_EQ(merge.counter("executions"), 9u);
  EXPECT_EQ(merge.counter("first-failure"), 4u);
  EXPECT_EQ(merge.counter("none"), 0u);
}

TEST(HuntMerge, OtherReportsAreRefused) {
  HuntMerge merge;
  EXPECT_THROW(merge.add(Json::object()), Json::exception);
}

}  // namespace
}  // namespace isosan::campaign
