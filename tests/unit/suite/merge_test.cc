#include "suite/findings/merge.h"

#include <gtest/gtest.h>

#include "suite/findings/why.h"
#include "unit/suite/findings.h"

namespace isosan::suite {
namespace {

Json other_cycle() {
  return finding("velodrome", "atomicity-violation",
                 {{1, "read", "shop::Log::size_", {"shop::Log::append"}},
                  {2, "write", "shop::Log::size_", {"shop::Log::append"}},
                  {1, "write", "shop::Log::size_", {"shop::Log::append"}}});
}

TEST(Merge, OneCauseInTwoTestsIsOneFinding) {
  const auto findings =
      merge({failed("a", {inventory_cycle(7)}), failed("b", {inventory_cycle(9)})});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].cause.function, "shop::Inventory::order");
  ASSERT_EQ(findings[0].tests.size(), 2u);
  EXPECT_EQ(findings[0].tests[1].test, "b");
  EXPECT_TRUE(findings[0].proved());
}

TEST(Merge, WhatWasSeenAboutTheDataOfAFailureBelongsToIt) {
  const Json race = finding("fasttrack", "data-race",
                            {{1, "read", "shop::Inventory::stock_", {"shop::Inventory::stock"}},
                             {2, "write", "shop::Inventory::stock_", {"shop::Inventory::order"}}},
                            false);
  const auto findings = merge({seen("a", race), failed("a", {inventory_cycle()})});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].cause.kind, "atomicity");
  EXPECT_EQ(findings[0].tests.size(), 1u);
}

TEST(Merge, ExplanationsAboutSomethingElseAreDropped) {
  Json window = other_cycle();
  window["analysis"] = "atomizer";
  const auto findings = merge({failed("a", {window, inventory_cycle()})});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].cause.of, "shop::Inventory");
  ASSERT_EQ(findings[0].evidence.size(), 2u);  // the cycle, and the failure itself
  EXPECT_EQ(findings[0].evidence[0]["analysis"], "velodrome");
  EXPECT_EQ(findings[0].evidence[1]["analysis"], "hunt");
}

TEST(Merge, TheCycleOnTheForcedDataNamesTheCause) {
  Json forced = inventory_cycle();
  forced["analysis"] = "hunt";
  const auto findings = merge({failed("a", {other_cycle(), inventory_cycle()}, forced)});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].cause.of, "shop::Inventory");
}

TEST(Merge, AFailureThatNothingExplainsIsOneOfItsTest) {
  const auto findings = merge({failed("a", {}), failed("b", {})});
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].cause, (Cause{"failure", "", "a"}));
}

TEST(Merge, WhatFailsComesFirst) {
  const auto findings =
      merge({seen("a", other_cycle()), seen("b", other_cycle()), failed("c", {inventory_cycle()})});
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_TRUE(findings[0].proved());
  EXPECT_EQ(findings[1].tests.size(), 2u);
}

TEST(Why, SaysBetweenWhat) {
  const auto sentences = why(merge({failed("a", {inventory_cycle()})}).at(0));
  ASSERT_EQ(sentences.size(), 1u);
  EXPECT_EQ(sentences[0],
            "Between its read of stock_ (shop.cc:7) and its write of stock_ (shop.cc:13) another "
            "thread comes in: write of stock_ (shop.cc:13) in shop::Inventory::order.");
}

TEST(Why, NamesFieldsThatBelongTogether) {
  Json units = inventory_cycle();
  units["analysis"] = "marathon";
  units["steps"][1]["operand"] = "shop::Inventory::sold_ (0x14)";
  const auto sentences = why(merge({failed("a", {inventory_cycle(), units})}).at(0));
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_EQ(sentences[1], "The fields sold_ and stock_ of shop::Inventory belong together.");
}

}  // namespace
}  // namespace isosan::suite
