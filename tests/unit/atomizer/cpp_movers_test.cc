// What C++ has beside Java's monitors: the mover status of each kind of operation.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

// Three threads use lock m, so that its operations are right- and left-movers. 6 events.
const std::string kShareM = "T1|acq(m) T1|rel(m) T2|acq(m) T2|rel(m) T0|acq(m) T0|rel(m) ";
// Commits, and nothing else: a release. 8 events with the begin, of which 7 is the commit.
const std::string kCommitted =
    "T1|acq(m) T1|rel(m) T2|acq(m) T2|rel(m) T0|acq(m) T0|begin(f) "
    "T0|begin(g) T0|rel(m) T0|end(g) ";

// Does the operation end a pre-commit phase, is it refused in a post-commit one?
bool commits(const std::string& operation) {
  return verdicts(kShareM + "T0|begin(f) T0|" + operation + " T0|acq(m) T0|end(f)",
                  papers_and({})) == Verdicts{"f 7->8"};
}
bool violates(const std::string& operation) {
  return verdicts(kCommitted + "T0|" + operation + " T0|end(f)", papers_and({})) ==
         Verdicts{"f 7->9"};
}
testing::AssertionResult moves(const std::string& operation, bool left, bool right) {
  if (violates(operation) == left) return testing::AssertionFailure() << operation << ": left";
  if (commits(operation) == right) return testing::AssertionFailure() << operation << ": right";
  return testing::AssertionSuccess();
}

TEST(CppMovers, ForkIsALeftMover) { EXPECT_TRUE(moves("fork(T5)", true, false)); }
TEST(CppMovers, JoinIsARightMover) { EXPECT_TRUE(moves("join(T5)", false, true)); }
TEST(CppMovers, PostIsALeftMover) { EXPECT_TRUE(moves("post(s)", true, false)); }
TEST(CppMovers, SemaphoreWaitIsARightMover) { EXPECT_TRUE(moves("take(s)", false, true)); }
TEST(CppMovers, ArriveIsALeftMover) { EXPECT_TRUE(moves("arrive(b)", true, false)); }
TEST(CppMovers, DepartIsARightMover) { EXPECT_TRUE(moves("depart(b)", false, true)); }
TEST(CppMovers, PublishIsALeftMover) { EXPECT_TRUE(moves("publish(p)", true, false)); }
TEST(CppMovers, ObserveIsARightMover) { EXPECT_TRUE(moves("observe(p)", false, true)); }
TEST(CppMovers, NotifyIsABothMover) { EXPECT_TRUE(moves("notify(c)", true, true)); }
TEST(CppMovers, PassingAFinishedOnceIsABothMover) { EXPECT_TRUE(moves("seen(o)", true, true)); }
TEST(CppMovers, FenceIsABothMover) { EXPECT_TRUE(moves("fence.seq_cst", true, true)); }

TEST(CppMovers, FinishingAOnceIsABothMoverUnlessStrict) {
  EXPECT_TRUE(moves("once(o)", true, true));
  AtomizerOptions options;
  options.once_commits = true;
  EXPECT_EQ(verdicts(kShareM + "T0|begin(f) T0|once(o) T0|acq(m) T0|end(f)", options),
            Verdicts{"f 7->8"});
}

TEST(CppMovers, ABarrierInARegionIsAViolation) {
  const std::string text = "T0|begin(f) T0|arrive(b) T0|depart(b) T0|end(f)";
  EXPECT_EQ(verdicts(text, papers_and({})), Verdicts{"f 1->2"});
  EXPECT_EQ(verdicts(text), Verdicts{})
      << "unless the region is split there (--atomizer-without split-at-barrier)";
}

TEST(CppMovers, EachPartOfARegionSplitAtABarrierIsJudged) {
  const std::string window = "T0|acq(m) T0|rel(m) T0|acq(m) T0|rel(m) ";
  const std::string barrier = "T0|arrive(b) T0|depart(b) ";
  EXPECT_EQ(verdicts(kShareM + "T0|begin(f) " + window + barrier + "T0|end(f)"),
            Verdicts{"f 8->9"});
  EXPECT_EQ(verdicts(kShareM + "T0|begin(f) " + barrier + window + "T0|end(f)"),
            Verdicts{"f 10->11"});
  EXPECT_EQ(verdicts(kShareM + "T0|begin(f) T0|acq(m) T0|rel(m) " + barrier +
                     "T0|acq(m) T0|rel(m) T0|end(f)"),
            Verdicts{});
}

TEST(CppMovers, ASemaphoreOrAnArrivalAloneSplitsNothing) {
  EXPECT_EQ(verdicts("T0|begin(f) T0|post(s) T0|take(s) T0|end(f)"), Verdicts{"f 1->2"});
  EXPECT_EQ(verdicts(kShareM + "T0|begin(f) T0|arrive(b) T0|acq(m) T0|end(f)"), Verdicts{"f 7->8"});
}

// ---- std::atomic. Shared by T0 and T1 without locks from the third event on. ----

const std::string kShareX = "T0|astore.seq_cst(x) T1|astore.seq_cst(x) T0|astore.seq_cst(x) ";

TEST(CppMovers, AnAtomicOperationIsOneNonMover) {
  EXPECT_EQ(verdicts(kShareX + "T0|begin(f) T0|armw.acq_rel(x) T0|end(f)"), Verdicts{})
      << "a read-modify-write is one action, not two";
  EXPECT_EQ(verdicts(kShareX + "T0|begin(f) T0|aload.acquire(x) T0|armw.seq_cst(x) T0|end(f)"),
            Verdicts{"f 4->5"});
  EXPECT_EQ(verdicts(kShareX + "T0|begin(f) T0|aload.acquire(x) T0|astore.release(x) T0|end(f)"),
            Verdicts{"f 4->5"});
}

TEST(CppMovers, AnAtomicThatALockProtectsIsABothMover) {
  EXPECT_EQ(verdicts("T0|acq(m) T0|armw.seq_cst(x) T0|rel(m) T1|acq(m) T1|armw.seq_cst(x) T1|rel(m)"
                     " T0|begin(f) T0|acq(m) T0|armw.seq_cst(x) T0|armw.seq_cst(x) T0|rel(m)"
                     " T0|end(f)"),
            Verdicts{});
}

TEST(CppMovers, RelaxedAtomicsCanBeDeclaredMovers) {
  const std::string text =
      "T0|armw.relaxed(x) T1|armw.relaxed(x) T0|begin(f) T0|armw.relaxed(x) T0|armw.relaxed(x)"
      " T0|end(f)";
  EXPECT_EQ(verdicts(text), Verdicts{}) << "relaxed updates only count";
  AtomizerOptions options;
  options.atomic_idioms = false;
  EXPECT_EQ(verdicts(text, options), Verdicts{"f 3->4"});
  options.relaxed_atomics_move = true;
  EXPECT_EQ(verdicts(text, options), Verdicts{});
}

// ---- std::shared_mutex ----

const std::string kWritersExclude =
    "T0|acq(s) T0|w(x) T0|rel(s) T1|acq(s) T1|w(x) T1|rel(s) T0|acq(s) T0|w(x) T0|rel(s) ";

TEST(CppMovers, AReadLockProtectsReads) {
  EXPECT_EQ(verdicts(kWritersExclude +
                     "T1|acq.shared(s) T1|r(x) T1|rel.shared(s)"
                     " T0|begin(f) T0|acq.shared(s) T0|r(x) T0|r(x) T0|rel.shared(s) T0|end(f)"),
            Verdicts{});
}

TEST(CppMovers, AReadLockDoesNotProtectWrites) {
  EXPECT_EQ(verdicts(kWritersExclude +
                     "T0|begin(f) T0|acq.shared(s) T0|w(x) T0|w(x) T0|rel.shared(s) T0|end(f)"),
            Verdicts{"f 11->12"});
}

TEST(CppMovers, AReadLockIsARightAndItsReleaseALeftMover) {
  EXPECT_EQ(verdicts(kWritersExclude + "T0|begin(f) T0|acq.shared(s) T0|r(x) T0|rel.shared(s)"
                                       " T0|acq.shared(s) T0|r(x) T0|rel.shared(s) T0|end(f)"),
            Verdicts{"f 12->13"});
}

TEST(CppMovers, AReadLockProtectsAnotherLockOnlyForReading) {
  const std::string use = "T0|acq(s) T0|acq(l) T0|rel(l) T0|rel(s) ";
  const std::string share = use + "T1|acq(s) T1|acq(l) T1|rel(l) T1|rel(s) " + use;
  EXPECT_EQ(verdicts(share + "T0|begin(f) T0|acq(s) T0|acq(l) T0|rel(l) T0|acq(l) T0|end(f)"),
            Verdicts{});
  EXPECT_EQ(
      verdicts(share + "T0|begin(f) T0|acq.shared(s) T0|acq(l) T0|rel(l) T0|acq(l) T0|end(f)"),
      Verdicts{"f 15->16"});
}

// ---- condition variables ----

const std::string kWait =
    "T0|begin(f) T0|acq(m) T0|wait(c) T0|rel(m) T0|acq(m) T0|woken(c)"
    " T0|rel(m) T0|end(f)";

TEST(CppMovers, AWaitInARegionIsAViolation) {
  EXPECT_EQ(verdicts(kShareM + kWait), Verdicts{"f 9->10"});
}

TEST(CppMovers, AWaitCanCutARegionInTwo) {
  AtomizerOptions options;
  options.split_every_wait = true;
  EXPECT_EQ(verdicts(kShareM + kWait, options), Verdicts{});
  EXPECT_EQ(verdicts(kShareM + "T0|begin(f) T0|acq(m) T0|wait(c) T0|rel(m) T0|woken(c) T0|acq(m)"
                               " T0|rel(m) T0|acq(m) T0|rel(m) T0|end(f)",
                     options),
            Verdicts{"f 12->13"})
      << "the second half is judged by itself; the acquire may come after the wake-up";
}

TEST(CppMovers, OnlyTheRegionNamedIsCut) {
  AtomizerOptions options;
  const Trace trace = trace_of(kShareM + "T0|begin(g) " + kWait + " T0|end(g)");
  for (std::uint32_t region = 1; region < trace.tables.regions.size(); ++region) {
    if (trace.tables.regions[region].name == "f") options.split_at_wait.insert(RegionId{region});
  }
  EXPECT_EQ(verdicts_of(trace, options), Verdicts{"g 10->11"});
}

// ---- ownership that moves ----

TEST(CppMovers, ALockMovedBetweenScopesStaysHeld) {
  EXPECT_EQ(verdicts(kShareM + "T0|begin(take) T0|acq(m) T0|end(take) T0|begin(f) T0|w(x)"
                               " T0|rel(m) T0|end(f)"),
            Verdicts{});
}

TEST(CppMovers, TryLockThatFailsLeavesNoEvent) {
  EXPECT_EQ(verdicts(kShareM + "T1|acq(m) T0|begin(f) T0|end(f)"), Verdicts{});
}

TEST(CppMovers, ThreadsEndLeavesEveryRegion) {
  EXPECT_EQ(verdicts(kShareM + "T0|begin(f) T0|acq(m) T0|rel(m) T0|exit T0|acq(m)"), Verdicts{});
}

// condition_variable_any: n is the library's own mutex, q another lock.
TEST(CppMovers, AWaitUnderAMutexOfItsOwnGivesUpTheUsersLock) {
  const std::string share = kShareM +
                            "T0|acq(n) T0|rel(n) T1|acq(n) T1|rel(n) T2|acq(n) T2|rel(n) "
                            "T0|acq(q) T0|rel(q) T1|acq(q) T1|rel(q) T2|acq(q) T2|rel(q) ";
  const std::string wait =
      "T0|begin(f) T0|acq(m) T0|acq(n) T0|rel(m) T0|wait(c) T0|rel(n) T0|acq(n) T0|woken(c) "
      "T0|rel(n) ";
  AtomizerOptions split;
  split.split_every_wait = true;
  EXPECT_EQ(verdicts(share + wait + "T0|acq(m) T0|rel(m) T0|end(f)", split), Verdicts{});
  EXPECT_EQ(verdicts(share + wait + "T0|acq(m) T0|rel(m) T0|end(f)").size(), 2u);
  EXPECT_EQ(verdicts(share + wait + "T0|acq(q) T0|rel(q) T0|end(f)", split).size(), 1u)
      << "another lock than was given up";
  EXPECT_EQ(verdicts(share + wait + "T0|acq(m) T0|rel(m) T0|acq(m) T0|end(f)", split).size(), 1u)
      << "the next window is one";
  EXPECT_EQ(verdicts(share + "T0|begin(f) T0|acq(m) T0|rel(m) T0|acq(n) T0|wait(c) T0|rel(n) "
                             "T0|acq(n) T0|woken(c) T0|rel(n) T0|acq(m) T0|rel(m) T0|end(f)",
                     split)
                .size(),
            2u)
      << "m was given up before: two windows beside the wait";
}

TEST(CppMovers, ABlockGoesOnWhereItsFunctionTurnsOutToBeNoRegion) {
  Trace trace = trace_of(kShareM +
                         "T0|begin(f) T0|begin(block) T0|acq(m) T0|rel(m) T0|end(block)"
                         " T0|acq(m) T0|rel(m) T0|end(f)");
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < trace.events.size(); ++i) {
    if (trace.events[i].kind == Kind::kEnd) ends.push_back(i);
  }
  std::swap(trace.events[ends[0]].size, trace.events[ends[1]].size);
  const Verdicts found = verdicts_of(trace);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].starts_with("block ")) << found[0];
}

}  // namespace
}  // namespace isosan::test
