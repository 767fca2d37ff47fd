// Fig. 8, rule by rule: P is declared, P(x) = m, y is unprotected.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

Verdicts fig8(const std::string& text) {
  Trace trace = trace_of("T9|r(x) T9|acq(m) " + text);  // x and m have addresses in every trace
  trace.events.erase(trace.events.begin(), trace.events.begin() + 2);
  AtomizerOptions options = AtomizerOptions::strict(AtomizerOptions::RaceRule::kDeclared);
  options.declarations.protect(address_in(trace, "x"), 8, address_in(trace, "m"));
  return verdicts_of(trace, options);
}

TEST(Fig8, InsAccessProtected) {
  EXPECT_EQ(fig8("T0|acq(m) T0|begin(f) T0|r(x) T0|w(x) T0|r(x) T0|acq(n) T0|end(f)"), Verdicts{})
      << "both-movers: the region has not committed when it acquires n";
}

TEST(Fig8, InsRaceCommit) {
  EXPECT_EQ(fig8("T0|begin(f) T0|r(y) T0|end(f)"), Verdicts{});
  EXPECT_EQ(fig8("T0|begin(f) T0|r(y) T0|acq(m) T0|end(f)"), Verdicts{"f 1->2"});
}

TEST(Fig8, InsRaceOutside) {
  EXPECT_EQ(fig8("T0|r(y) T0|w(y) T0|r(y) T0|begin(f) T0|acq(m) T0|end(f)"), Verdicts{});
}

TEST(Fig8, InsAcquire) {
  EXPECT_EQ(fig8("T0|acq(m) T0|begin(f) T0|acq(n) T0|acq(o) T0|end(f)"), Verdicts{})
      << "outside, and pre-commit";
}

TEST(Fig8, InsReleaseCommit) {
  EXPECT_EQ(fig8("T0|acq(m) T0|acq(n) T0|begin(f) T0|rel(n) T0|rel(m) T0|end(f)"), Verdicts{})
      << "pre-commit, and post-commit";
  EXPECT_EQ(fig8("T0|acq(m) T0|begin(f) T0|rel(m) T0|acq(n) T0|end(f)"), Verdicts{"f 2->3"});
}

TEST(Fig8, InsReleaseOutside) {
  EXPECT_EQ(fig8("T0|acq(m) T0|rel(m) T0|begin(f) T0|acq(m) T0|end(f)"), Verdicts{});
}

TEST(Fig8, InsEnterStartsPreCommit) {
  EXPECT_EQ(fig8("T0|begin(f) T0|r(y) T0|end(f) T0|begin(f) T0|acq(m) T0|r(x) T0|end(f)"),
            Verdicts{});
}

TEST(Fig8, InsNestedEnterKeepsTheOuterPhase) {
  EXPECT_EQ(fig8("T0|begin(f) T0|r(y) T0|begin(g) T0|acq(m) T0|end(g) T0|end(f)"),
            Verdicts{"f 1->3"})
      << "f has committed; g, judged for itself, has not";
}

TEST(Fig8, InsExitLeavesOutside) {
  EXPECT_EQ(fig8("T0|begin(f) T0|r(y) T0|end(f) T0|acq(m) T0|r(y)"), Verdicts{});
}

TEST(Fig8, InsNestedExitKeepsTheOuterPhase) {
  EXPECT_EQ(fig8("T0|begin(f) T0|begin(g) T0|r(y) T0|end(g) T0|acq(m) T0|end(f)"),
            Verdicts{"f 2->4"});
}

TEST(Fig8, InsNoOp) {
  EXPECT_EQ(fig8("T0|begin(f) T0|r(y) T0|notify(c) T0|seen(o) T0|end(f)"), Verdicts{});
}

TEST(Fig8, WrongAccessProtected) {
  EXPECT_EQ(fig8("T0|r(x)"), Verdicts{"- !0"});
  EXPECT_EQ(fig8("T0|acq(n) T0|w(x)"), Verdicts{"- !1"}) << "another lock does not help";
  EXPECT_EQ(fig8("T1|acq(m) T0|begin(f) T0|r(x) T0|end(f)"), Verdicts{"f !2"})
      << "another thread holds it";
}

TEST(Fig8, WrongRaceViolate) {
  EXPECT_EQ(fig8("T0|begin(f) T0|r(y) T0|w(y) T0|end(f)"), Verdicts{"f 1->2"});
}

TEST(Fig8, WrongAcquire) {
  EXPECT_EQ(fig8("T0|acq(m) T0|begin(f) T0|rel(m) T0|acq(m) T0|end(f)"), Verdicts{"f 2->3"});
}

}  // namespace
}  // namespace isosan::test
