#include "suite/run/budget.h"

#include <gtest/gtest.h>

namespace isosan::suite {
namespace {

using std::chrono::seconds;

TestResult ran(std::uint64_t threads, bool contended) {
  TestResult test;
  test.verdict = Verdict::kPassed;
  test.threads = threads;
  test.contended = contended;
  return test;
}

TEST(Budget, OneThreadIsNotHunted) {
  EXPECT_EQ(weight_of(ran(1, false)), 0u);
  EXPECT_EQ(weight_of(TestResult{}), 0u);
}

TEST(Budget, ContendedTestsGetMore) {
  EXPECT_GT(weight_of(ran(2, true)), weight_of(ran(2, false)));
}

TEST(Budget, SharesAddUp) {
  EXPECT_EQ(share_of(seconds(60), 1, 1, 6), seconds(10));
  EXPECT_EQ(share_of(seconds(60), 2, 3, 6), seconds(60));
  EXPECT_EQ(share_of(seconds(60), 8, 1, 2), seconds(60));  // never more than is left
  EXPECT_EQ(share_of(seconds(0), 1, 1, 6), seconds(1));
}

TEST(Budget, TheTimeLeftGoesByTheStepsThatAreDone) {
  const seconds no_limit(1000000);
  EXPECT_EQ(time_left(seconds(10), 1, 4, seconds(0), no_limit), seconds(30));
  EXPECT_EQ(time_left(seconds(10), 1, 4, seconds(600), no_limit), seconds(630));
  EXPECT_EQ(time_left(seconds(10), 1, 4, seconds(0), seconds(20)), seconds(20));
  EXPECT_EQ(time_left(seconds(10), 4, 4, seconds(0), seconds(-1)), seconds(0));
}

}  // namespace
}  // namespace isosan::suite
