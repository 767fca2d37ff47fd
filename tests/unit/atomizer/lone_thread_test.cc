// A thread that is the only one again moves freely (live_threads.h), and takes nobody's locks away.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

// x has no lock, m is shared; T0 has forked T1 and T2: 14 events.
const std::string kShared =
    "T0|fork(T1) T0|fork(T2) T1|w(x) T2|w(x) T1|w(x) T2|w(x) "
    "T1|acq(m) T1|rel(m) T2|acq(m) T2|rel(m) T1|acq(m) T1|rel(m) T2|acq(m) T2|rel(m) ";
const std::string kWindows =
    "T0|begin(f) T0|r(x) T0|w(x) T0|end(f) T0|begin(g) T0|acq(m) T0|rel(m) T0|acq(m) T0|rel(m)"
    " T0|end(g)";
const Verdicts kNothing{};

Verdicts with(const std::string& text) {
  return verdicts(text, papers_and({&AtomizerOptions::lone_thread}));
}
Verdicts without(const std::string& text) { return verdicts(text, papers_and({})); }

TEST(LoneThread, ItsOperationsAreBothMovers) {
  const std::string text = kShared + "T0|join(T1) T0|join(T2) " + kWindows;
  EXPECT_EQ(with(text), kNothing);
  EXPECT_EQ(without(text), (Verdicts{"f 17->18", "g 22->23"}));
}

TEST(LoneThread, NotWhileAThreadIsLeft) {
  EXPECT_EQ(with(kShared + "T0|join(T1) " + kWindows), (Verdicts{"f 16->17", "g 21->22"}));
}

TEST(LoneThread, NotAfterTheNextFork) {
  EXPECT_EQ(with(kShared + "T0|join(T1) T0|join(T2) T0|fork(T3) " + kWindows),
            (Verdicts{"f 18->19", "g 23->24"}));
}

TEST(LoneThread, NotBesideAThreadThatNobodyForked) {
  EXPECT_EQ(with("T5|start " + kShared + "T0|join(T1) T0|join(T2) " + kWindows),
            (Verdicts{"f 18->19", "g 23->24"}));
}

TEST(LoneThread, NotBesideAThreadThatIsInARegionOfAnotherKind) {
  EXPECT_EQ(with(kShared + "T0|join(T1) T0|join(T2) T5|begin.deterministic(d) " + kWindows),
            (Verdicts{"f 18->19", "g 23->24"}));
}

TEST(LoneThread, ItsAccessesTakeNoLockAway) {
  const std::string guarded =
      "T1|acq(m) T1|w(x) T1|rel(m) T2|acq(m) T2|w(x) T2|rel(m) T1|acq(m) T1|w(x) T1|rel(m) ";
  const std::string text = "T0|fork(T1) T0|fork(T2) " + guarded +
                           "T0|join(T1) T0|join(T2) T0|w(x) T0|fork(T3)"
                           " T3|begin(f) T3|acq(m) T3|r(x) T3|w(x) T3|rel(m) T3|end(f)";
  EXPECT_EQ(with(text), kNothing);
  EXPECT_EQ(without(text), Verdicts{"f 17->18"});
}

TEST(LoneThread, WhatItIsTheFirstToUseIsItsOwn) {
  const std::string text =
      "T0|fork(T1) T0|join(T1) T0|w(y) T0|fork(T2) T0|fork(T3) T2|w(y)"
      " T3|begin(f) T3|w(y) T3|w(y) T3|end(f)";
  EXPECT_EQ(with(text), Verdicts{"f 7->8"}) << "T0's, taken over by T2, shared by T3";
}

TEST(LoneThread, ALockThatItHoldsIsGivenUpByTheUsualRules) {
  EXPECT_EQ(with(kShared + "T0|join(T1) T0|join(T2) T0|begin(f) T0|acq(m) T0|fork(T3) T0|rel(m)"
                           " T0|acq(m) T0|rel(m) T0|end(f)"),
            Verdicts{"f 18->20"});
}

}  // namespace
}  // namespace isosan::test
