// Fig. 11, rule by rule: protecting locks are inferred, every variable needs one.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

Verdicts fig11(const std::string& text) {
  return verdicts(text, AtomizerOptions::strict(AtomizerOptions::RaceRule::kWrong));
}

TEST(Fig11, Ins2AccessKeepsTheLocksHeld) {
  EXPECT_EQ(fig11("T0|acq(m) T0|acq(n) T0|w(x) T0|rel(n) T0|r(x) T0|rel(m)"
                  " T1|acq(m) T1|w(x) T1|rel(m)"),
            Verdicts{})
      << "{m, n} narrows to {m}";
}

TEST(Fig11, Ins2AccessIsABothMover) {
  EXPECT_EQ(fig11("T0|begin(f) T0|acq(m) T0|w(x) T0|acq(n) T0|w(x) T0|end(f)"), Verdicts{});
}

TEST(Fig11, Wrong2RaceWhenNoCandidateIsLeft) {
  EXPECT_EQ(fig11("T0|acq(m) T0|w(x) T0|rel(m) T1|acq(n) T1|w(x)"), Verdicts{"- !4"});
  EXPECT_EQ(fig11("T0|begin(f) T0|r(x) T0|end(f)"), Verdicts{"f !1"}) << "even alone";
}

TEST(Fig11, Ins2Acquire) {
  EXPECT_EQ(fig11("T0|acq(m) T0|begin(f) T0|acq(n) T0|end(f)"), Verdicts{});
}

TEST(Fig11, Ins2ReleaseCommit) {
  EXPECT_EQ(fig11("T0|begin(f) T0|acq(m) T0|acq(n) T0|rel(n) T0|rel(m) T0|end(f)"), Verdicts{});
}

TEST(Fig11, Ins2ReleaseOutside) {
  EXPECT_EQ(fig11("T0|acq(m) T0|rel(m) T0|acq(m) T0|rel(m)"), Verdicts{});
}

TEST(Fig11, Ins2EnterAndExit) {
  EXPECT_EQ(fig11("T0|begin(f) T0|acq(m) T0|rel(m) T0|end(f)"
                  " T0|begin(f) T0|acq(m) T0|rel(m) T0|end(f)"),
            Verdicts{});
}

TEST(Fig11, Ins2NestedEnterAndExit) {
  EXPECT_EQ(fig11("T0|begin(f) T0|begin(g) T0|acq(m) T0|rel(m) T0|end(g)"
                  " T0|begin(g) T0|acq(m) T0|rel(m) T0|end(g) T0|end(f)"),
            Verdicts{"f 3->6"})
      << "each call of g is atomic, f is not";
}

TEST(Fig11, Ins2NoOp) {
  EXPECT_EQ(fig11("T0|begin(f) T0|notify(c) T0|fence.seq_cst T0|end(f)"), Verdicts{});
}

TEST(Fig11, Wrong2Acquire) {
  EXPECT_EQ(fig11("T0|begin(f) T0|acq(m) T0|rel(m) T0|acq(n) T0|end(f)"), Verdicts{"f 2->3"});
}

}  // namespace
}  // namespace isosan::test
