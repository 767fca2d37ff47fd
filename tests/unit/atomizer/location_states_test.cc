// Fig. 13: the states of a location and the ways between them. Two accesses of x in one region tell
// whether they are movers: two non-movers are a violation.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

Verdicts papers(const std::string& text) { return verdicts(text, any_handover()); }

const std::string kTwoReads = "T0|begin(f) T0|r(x) T0|r(x) T0|end(f)";
const std::string kTwoWrites = "T0|begin(f) T0|w(x) T0|w(x) T0|end(f)";

TEST(LocationStates, ThreadLocalAccessesAreBothMovers) {
  EXPECT_EQ(papers(kTwoReads), Verdicts{});
  EXPECT_EQ(papers(kTwoWrites), Verdicts{});
}

TEST(LocationStates, ASecondThreadTakesTheLocationOver) {
  EXPECT_EQ(papers("T1|w(x) " + kTwoWrites), Verdicts{});
}

TEST(LocationStates, ReadSharedReadsAreBothMovers) {
  EXPECT_EQ(papers("T1|w(x) T2|r(x) " + kTwoReads), Verdicts{}) << "written once, then read";
}

TEST(LocationStates, AWriteToAReadSharedLocationMakesItSharedModified) {
  EXPECT_EQ(papers("T1|w(x) T2|r(x) T0|r(x) T0|w(x) " + kTwoReads), Verdicts{"f 5->6"});
}

TEST(LocationStates, TheFirstThreadBackIsSharing) {
  EXPECT_EQ(papers("T0|w(x) T1|w(x) " + kTwoWrites), Verdicts{"f 3->4"});
}

TEST(LocationStates, AReadAfterTheSecondOwnerWroteEntersSharedModified) {
  EXPECT_EQ(papers("T0|w(x) T1|w(x) " + kTwoReads), Verdicts{"f 3->4"});
}

TEST(LocationStates, AReadThatSharesLeavesAllWriteLocksPossible) {
  EXPECT_EQ(papers("T0|w(x) T1|w(x) T0|r(x)"       // A = ∅, W = all locks
                   " T1|acq(m) T1|w(x) T1|rel(m)"  // W = {m}
                   " T0|acq(m) " +
                   kTwoReads),
            Verdicts{})
      << "m is held at every write since: reads under m are both-movers";
}

TEST(LocationStates, CandidatesStartAsTheLocksHeldWhereItIsShared) {
  EXPECT_EQ(papers("T0|w(x) T1|w(x) T0|acq(m) T0|w(x) T0|rel(m)"
                   " T1|acq(n) T1|w(x) T1|rel(n) T0|acq(m) T0|acq(n) " +
                   kTwoWrites),
            Verdicts{"f 11->12"})
      << "{m} and {n} have nothing in common";
  EXPECT_EQ(papers("T0|w(x) T1|w(x) T0|acq(m) " + kTwoWrites), Verdicts{});
}

TEST(LocationStates, BytesAreToldApart) {
  EXPECT_EQ(papers("T0|w(x+0:4) T1|w(x+4:4) T0|begin(f) T0|w(x+0:4) T0|w(x+0:4) T0|end(f)"),
            Verdicts{});
  EXPECT_EQ(papers("T0|w(x+0:8) T1|w(x+4:4) T0|w(x+4:4)"
                   " T0|begin(f) T0|w(x+0:4) T0|w(x+0:4) T0|w(x+2:4) T0|w(x+5:1) T0|end(f)"),
            Verdicts{"f 6->7"});
}

TEST(LocationStates, ReusedMemoryIsANewLocation) {
  EXPECT_EQ(papers("T0|w(x) T1|w(x) T0|w(x) T0|free(x) T0|alloc(x) " + kTwoWrites), Verdicts{});
}

TEST(LocationStates, AWideRacyAccessIsSeveralActions) {
  EXPECT_EQ(papers("T0|w(x+0:32) T1|w(x+0:32) T0|begin(f) T0|w(x+0:32) T0|end(f)"),
            Verdicts{"f 3->3"});
  EXPECT_EQ(papers("T0|w(x+0:4) T0|w(x+4:4) T1|w(x) T0|begin(f) T0|w(x) T0|end(f)"), Verdicts{})
      << "eight bytes are one action, however many variables they are";
}

TEST(LocationStates, MemoryPerLocationIsWithinTheBudget) {
  EXPECT_LE(ByteMap<atomizer::Location>::bytes_per_piece(), 24u);
}

}  // namespace
}  // namespace isosan::test
