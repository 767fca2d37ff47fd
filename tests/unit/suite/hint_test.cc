#include "suite/findings/hint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/suite/findings.h"

namespace isosan::suite {
namespace {

using testing::HasSubstr;

Json lock(const std::string& name) {
  return {{"lock", name}, {"shared", false}, {"taken", {{"file", "shop.cc"}, {"line", 5}}}};
}

// Of inventory_cycle(), with these locks at its first and last access.
std::string hint_with(const std::vector<std::string>& first, const std::vector<std::string>& last) {
  Json cycle = inventory_cycle();
  for (const std::string& name : first) cycle["steps"][0]["held"].push_back(lock(name));
  for (const std::string& name : last) cycle["steps"][2]["held"].push_back(lock(name));
  return hint(merge({failed("a", {cycle})}).at(0));
}

TEST(Hint, AboutLocks) {
  EXPECT_EQ(hint_with({"m"}, {"n", "m"}), "Hold the lock from shop.cc:7 to shop.cc:13, not twice.");
  EXPECT_THAT(hint_with({"m"}, {"n"}), HasSubstr("hold different locks"));
  EXPECT_THAT(hint_with({}, {"m"}), HasSubstr("Take the lock of shop.cc:13 before shop.cc:7"));
  EXPECT_THAT(hint_with({}, {}), HasSubstr("Nobody holds a lock"));
  EXPECT_EQ(hint_with({"m"}, {}), "");
}

TEST(Hint, WhereOnlyTheFunctionIsKnownNoLineIsNamed) {
  Json cycle = inventory_cycle();
  for (const std::size_t step : {0, 2}) {
    cycle["steps"][step]["held"].push_back(lock("m"));
    cycle["steps"][step]["place"]["definition"] = true;
    const auto stack = cycle["steps"][step]["stack"].get<std::size_t>();
    for (Json& frame : cycle["stacks"][stack]) frame["definition"] = true;
  }
  EXPECT_EQ(hint(merge({failed("a", {cycle})}).at(0)),
            "Hold the lock in all of shop::Inventory::order, not anew for each access.");
}

TEST(Hint, NobodyMeansTheOtherThreadToo) {
  Json cycle = inventory_cycle();
  cycle["steps"][1]["held"].push_back(lock("m"));
  EXPECT_EQ(hint(merge({failed("a", {cycle})}).at(0)), "");
}

TEST(Hint, OneAtomicOperation) {
  Json cycle = inventory_cycle();
  cycle["steps"][0]["operation"] = "atomic-load";
  cycle["steps"][2]["operation"] = "atomic-store";
  EXPECT_THAT(hint(merge({failed("a", {cycle})}).at(0)), HasSubstr("one atomic operation"));
}

// A queue whose thread gives the lock up on line 19 and takes it again on line `again`.
std::string hint_of_queue(int again) {
  const Json story = finding("hunt", "atomicity-violation",
                             {{1, "read", "Queue::size_", {"Queue::pop"}, 18, "e1"},
                              {1, "release", "0x1", {"Queue::pop"}, 19, ""},
                              {2, "write", "Queue::size_", {"Queue::push"}, 13, "f"},
                              {1, "acquire", "0x1", {"Queue::pop"}, again, ""},
                              {1, "read", "Queue::size_", {"Queue::pop"}, 20, "e2"}});
  return hint(merge({failed("a", {}, story)}).at(0));
}

TEST(Hint, LookAgainAfterTheWait) {
  EXPECT_EQ(hint_of_queue(19), "Look again after the wait: while, not if (shop.cc:19).");
  EXPECT_EQ(hint_of_queue(20), "");
}

TEST(Hint, OneOrderOfLocks) {
  const Json deadlock = finding("hunt", "deadlock",
                                {{1, "acquire", "0x1", {"Ledger::pay"}, 1, "holds"},
                                 {2, "acquire", "0x2", {"Ledger::pay"}, 1, "holds"}});
  EXPECT_THAT(hint(merge({failed("a", {}, deadlock)}).at(0)), HasSubstr("one order"));
}

TEST(Hint, NoneWhereNothingIsKnown) { EXPECT_EQ(hint(merge({failed("a", {})}).at(0)), ""); }

}  // namespace
}  // namespace isosan::suite
