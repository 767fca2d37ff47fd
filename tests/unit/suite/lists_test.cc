#include "suite/tests/lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isosan::suite {
namespace {

using testing::ElementsAre;

TEST(Lists, GoogleTest) {
  EXPECT_THAT(googletest_cases("Running main() from gtest_main.cc\n"
                               "Cart.\n  Adds\n  DISABLED_Later\n"
                               "Sizes/Cart.  # TypeParam = int\n  Holds/0  # GetParam() = 1\n  "
                               "Holds/1  # GetParam() = 2\n"
                               "DISABLED_Old.\n  Any\n"),
              ElementsAre("Cart.Adds", "Sizes/Cart.Holds/0", "Sizes/Cart.Holds/1"));
  EXPECT_THAT(googletest_cases(""), ElementsAre());
}

TEST(Lists, Catch2) {
  EXPECT_THAT(catch_cases("a price is loaded once\na coupon, too\n"),
              ElementsAre("a price is loaded once", "a coupon, too"));
}

TEST(Lists, Doctest) {
  EXPECT_THAT(
      doctest_cases(
          "[doctest] listing all test case names\n"
          "===============================================================================\n"
          "one\ntwo words\n"
          "===============================================================================\n"
          "[doctest] unskipped test cases passing the current filters: 2\n"),
      ElementsAre("one", "two words"));
}

TEST(Lists, BoostTest) {
  EXPECT_THAT(
      boost_cases("free*\nstock*\n    adds*: what it is for\n    off\n    inner*\n        deep*\n"),
      ElementsAre("free", "stock/adds", "stock/inner/deep"));
}

}  // namespace
}  // namespace isosan::suite
