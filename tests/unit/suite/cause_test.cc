#include "suite/findings/cause.h"

#include <gtest/gtest.h>

#include "unit/suite/findings.h"

namespace isosan::suite {
namespace {

TEST(Evidence, NamesWithoutAddressesAndOffsets) {
  EXPECT_EQ(variable_in("shop::Cart::sum_ (0x7ffe)"), "shop::Cart::sum_");
  EXPECT_EQ(variable_in("buffer+4"), "buffer");
  EXPECT_EQ(variable_in("0x7ffe"), "");
  EXPECT_EQ(variable_in(""), "");
}

TEST(Evidence, TheClassOfAName) {
  EXPECT_EQ(class_of("shop::Cart::add"), "shop::Cart");
  EXPECT_EQ(class_of("add"), "");
  EXPECT_EQ(class_of("Map<std::string, ns::T>::find"), "Map<std::string, ns::T>");
  EXPECT_EQ(last_name("shop::Cart::add"), "add");
}

TEST(Evidence, LibraryFramesAreNotOwn) {
  EXPECT_FALSE(is_own(Json{{"function", "std::mutex::lock"}}));
  EXPECT_FALSE(is_own(Json{{"function", "__gthread_mutex_lock"}}));
  EXPECT_FALSE(is_own(Json{{"function", "Catch::run"}, {"file", "/usr/include/catch.hpp"}}));
  EXPECT_TRUE(is_own(Json{{"function", "f"}, {"file", "/home/me/f.cc"}}));
}

TEST(Cause, TheInnermostFunctionAroundTheBlamedSteps) {
  const auto cause = cause_of(inventory_cycle());
  ASSERT_TRUE(cause);
  EXPECT_EQ(*cause, (Cause{"atomicity", "shop::Inventory::order", "shop::Inventory"}));
  EXPECT_EQ(headline(*cause), "shop::Inventory::order is not atomic (shop::Inventory)");
}

// Two calls of ball() in hit(): each of them is whole.
TEST(Cause, NotAFunctionThatIsCalledTwice) {
  const auto function_of_reads = [](int first, int last) {
    const std::vector<std::string> calls = {"Table::ball", "Table::hit"};
    return cause_of(finding("velodrome", "atomicity-violation",
                            {{1, "read", "Table::ball_", calls, first},
                             {2, "write", "Table::ball_", {"Table::put_away"}, 26},
                             {1, "read", "Table::ball_", calls, last}}))
        ->function;
  };
  EXPECT_EQ(function_of_reads(36, 36), "Table::hit") << "the same read again";
  EXPECT_EQ(function_of_reads(36, 35), "Table::hit") << "a line that comes before";
}

// A loop around take(), which counts down under its lock: what it wrote is read by the next one.
TEST(Cause, NotAFunctionThatALoopCalls) {
  const std::vector<std::string> calls = {"Seats::take", "Seats::reserve", "main::lambda"};
  const auto blamed = [&](const std::string& first, const std::string& last) {
    return cause_of(finding("velodrome", "atomicity-violation",
                            {{1, first, "Seats::free_", calls, 9},
                             {2, "write", "Seats::free_", calls, 9},
                             {1, last, "Seats::free_", calls, 9}}))
        ->function;
  };
  EXPECT_EQ(blamed("write", "read"), "Seats::reserve");
  EXPECT_EQ(blamed("read", "write"), "Seats::take") << "--free_ without a lock";
}

// The program was aborted before the region went on.
TEST(Cause, OfOneStepIsTheRegion) {
  Json broken_off = finding("velodrome", "atomicity-violation",
                            {{1, "write", "Manager::free_", {"Manager::mark_free"}, 27},
                             {2, "read", "Manager::free_", {"Manager::request"}, 19}});
  broken_off["region"] = "Manager::release";
  EXPECT_EQ(cause_of(broken_off)->function, "Manager::release");
}

TEST(Cause, WhatALibraryHasInsideNamesNobody) {
  const Json cycle = finding("velodrome", "atomicity-violation",
                             {{1, "read", "std::_Rb_tree_header::_M_count", {"Cache::get"}, 24},
                              {2, "write", "std::_Rb_tree_header::_M_count", {"Cache::get"}, 29},
                              {1, "write", "std::_Rb_tree_header::_M_count", {"Cache::get"}, 29}});
  EXPECT_EQ(cause_of(cycle)->of, "Cache");
}

TEST(Cause, OfAHangIsWhereTheLastThreadWaits) {
  const Json hang = finding("hunt", "deadlock",
                            {{1, "release", "0x10", {"Gate::open", "main::lambda"}, 15},
                             {2, "release", "0x10", {"Gate::pass", "main::lambda"}, 26},
                             {1, "join", "T1", {"main"}, 45}},
                            false);
  EXPECT_EQ(cause_of(hang)->function, "Gate::pass");
}

TEST(Cause, IsTheSameOnOtherLinesAndAddresses) {
  EXPECT_EQ(cause_of(inventory_cycle(7, "0x10")), cause_of(inventory_cycle(90, "0x7fff")));
}

TEST(Cause, WithoutNamesTheClassOfTheFunction) {
  const auto cause = cause_of(finding("velodrome", "atomicity-violation",
                                      {{1, "atomic-load", "0x1", {"shop::Coupon::redeem"}},
                                       {2, "atomic-store", "0x1", {"shop::Coupon::redeem"}},
                                       {1, "atomic-store", "0x1", {"shop::Coupon::redeem"}}}));
  EXPECT_EQ(cause, (Cause{"atomicity", "shop::Coupon::redeem", "shop::Coupon"}));
}

TEST(Cause, OfADeadlockAreAllThatWait) {
  const auto cause =
      cause_of(finding("hunt", "deadlock",
                       {{1, "acquire", "0x1", {"std::mutex::lock", "Ledger::pay"}, 1, "holds"},
                        {2, "acquire", "0x2", {"std::mutex::lock", "Ledger::audit"}, 2, "holds"}}));
  EXPECT_EQ(cause, (Cause{"deadlock", "Ledger::audit + Ledger::pay", "Ledger"}));
}

TEST(Cause, OfARaceAreBothFunctions) {
  const auto cause =
      cause_of(finding("fasttrack", "data-race",
                       {{1, "read", "hits", {"look"}}, {2, "write", "hits", {"count"}}}, false));
  EXPECT_EQ(cause, (Cause{"race", "count + look", "hits"}));
}

TEST(Cause, AFailureByItselfNamesNobody) { EXPECT_FALSE(cause_of(failure())); }

}  // namespace
}  // namespace isosan::suite
