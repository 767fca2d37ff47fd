// Fig. 14, rule by rule: a race is a non-mover, not an error in itself. One lockset per variable.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

Verdicts fig14(const std::string& text) {
  AtomizerOptions options = AtomizerOptions::basic();
  options.thread_local_data = false;
  return verdicts(text, options);
}

TEST(Fig14, Ins2AccessStaysABothMover) {
  EXPECT_EQ(fig14("T0|begin(f) T0|acq(m) T0|r(x) T0|w(x) T0|acq(n) T0|end(f)"), Verdicts{});
}

TEST(Fig14, Ins2RaceOutside) {
  EXPECT_EQ(fig14("T0|w(x) T0|r(x) T1|w(x)"), Verdicts{});
  EXPECT_EQ(fig14("T1|w(x) T0|acq(m) T0|begin(f) T0|r(x) T0|w(x) T0|end(f)"), Verdicts{"f 3->4"})
      << "φ(x) is empty from then on, whatever is held later";
}

TEST(Fig14, Ins2RaceCommit) {
  EXPECT_EQ(fig14("T0|begin(f) T0|r(x) T0|end(f)"), Verdicts{}) << "one race is a commit point";
  EXPECT_EQ(fig14("T0|begin(f) T0|acq(m) T0|r(y) T0|rel(m) T0|end(f)"), Verdicts{});
  EXPECT_EQ(fig14("T0|begin(f) T0|r(x) T0|acq(m) T0|end(f)"), Verdicts{"f 1->2"});
}

TEST(Fig14, Wrong2Race) {
  EXPECT_EQ(fig14("T0|begin(f) T0|r(x) T0|w(x) T0|end(f)"), Verdicts{"f 1->2"});
  EXPECT_EQ(fig14("T0|begin(f) T0|acq(m) T0|rel(m) T0|r(x) T0|end(f)"), Verdicts{"f 2->3"});
}

// The relaxed rules do not go back: the first access of this doubleIt was a mover when it happened.
TEST(Fig14, EarlierAccessesAreNotReclassified) {
  EXPECT_EQ(fig14("T0|begin(f) T0|acq(m) T0|r(x) T1|w(x) T0|w(x) T0|rel(m) T0|end(f)"), Verdicts{});
}

}  // namespace
}  // namespace isosan::test
