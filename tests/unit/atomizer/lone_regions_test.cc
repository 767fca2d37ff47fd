// A region entered by the only thread meets nobody but the threads that are started in it
// (live_threads.h): it is not judged.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

// Starts and joins a thread: a left- and a right-mover.
const std::string kTeam = "T0|begin(f) T0|fork(T1) T0|join(T1) T0|end(f) ";
const Verdicts kNothing{};

Verdicts with(const std::string& text) {
  return verdicts(text, papers_and({&AtomizerOptions::lone_regions}));
}
Verdicts without(const std::string& text) { return verdicts(text, papers_and({})); }

TEST(LoneRegions, ARegionEnteredAloneIsNotJudged) {
  EXPECT_EQ(with("T0|start " + kTeam), kNothing);
  EXPECT_EQ(without("T0|start " + kTeam), Verdicts{"f 2->3"});
}

TEST(LoneRegions, WhateverItsThreadsDo) {
  const std::string locked = "T0|acq(m) T0|rel(m) T1|acq(m) T1|rel(m) T2|acq(m) T2|rel(m) ";
  const std::string text = "T0|start T0|begin(f) T0|fork(T1) T1|start T1|fork(T2) T2|start " +
                           locked + locked + "T1|join(T2) T0|join(T1) T0|end(f)";
  EXPECT_EQ(with(text), kNothing);
  EXPECT_EQ(without(text), (Verdicts{"f 2->12", "f 13->19"}));
}

TEST(LoneRegions, ARegionInsideThatIsEnteredBesideOthersIsJudged) {
  EXPECT_EQ(with("T0|start T0|begin(f) T0|fork(T2) T0|begin(g) T0|fork(T1) T0|join(T1) T0|end(g)"
                 " T0|join(T2) T0|end(f)"),
            Verdicts{"g 4->5"});
  EXPECT_EQ(with("T0|start T0|begin(f) T0|fork(T1) T1|start T1|begin(g) T1|fork(T2) T1|join(T2)"
                 " T1|end(g) T0|join(T1) T0|end(f)"),
            Verdicts{"g 5->6"});
}

TEST(LoneRegions, AgainAfterTheLastJoin) {
  EXPECT_EQ(with("T0|start T0|fork(T2) T2|start T0|join(T2) " + kTeam), kNothing);
}

TEST(LoneRegions, ARegionAroundTheJoinIsJudgedAndOneInsideAfterItIsNot) {
  EXPECT_EQ(with("T0|start T0|fork(T2) T0|begin(g) T0|join(T2) " + kTeam + "T0|end(g)"),
            Verdicts{"g 5->6"});
}

TEST(LoneRegions, NotBesideAThreadThatIsNotJoined) {
  EXPECT_EQ(with("T0|start T0|fork(T2) " + kTeam), Verdicts{"f 3->4"});
  EXPECT_EQ(with("T0|start T0|fork(T2) T2|start T2|end " + kTeam), Verdicts{"f 5->6"})
      << "whether it has ended, another order need not know";
}

TEST(LoneRegions, NotOnceAThreadCameThatNobodyForked) {
  EXPECT_EQ(with("T0|start T0|begin(f) T0|fork(T1) T7|start T0|join(T1) T0|end(f)"),
            Verdicts{"f 2->4"});
  EXPECT_EQ(with("T0|start T0|begin(f) T0|fork(T1) T7|r(x) T0|join(T1) T0|end(f)"),
            Verdicts{"f 2->4"});
}

TEST(LoneRegions, NotInATraceThatDoesNotTellOfTheFirstStart) {
  EXPECT_EQ(with(kTeam), Verdicts{"f 1->2"});
  EXPECT_EQ(with("T0|r(x) T3|start T3|begin(f) T3|fork(T1) T3|join(T1) T3|end(f)"),
            Verdicts{"f 3->4"});
}

}  // namespace
}  // namespace isosan::test
