// Joining a thread is a both-mover if all that it did were both-movers (quiet_thread.h).
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

// m is shared by T0, T8 and T9, so that its operations are no both-movers; x has no lock. 9 events.
const std::string kShared =
    "T0|acq(m) T0|rel(m) T8|acq(m) T8|rel(m) T9|acq(m) T9|rel(m) T0|w(x) T8|w(x) T9|w(x) ";

// T0's region f forks T1, which does this, and joins it: the fork is event 10.
std::string team(const std::string& of_child) {
  return kShared + "T0|begin(f) T0|fork(T1) " + of_child + "T0|join(T1) T0|end(f)";
}
Verdicts with(const std::string& text) {
  return verdicts(text, papers_and({&AtomizerOptions::quiet_threads}));
}

TEST(QuietThreads, JoiningAThreadThatOnlyMovedIsABothMover) {
  const std::string text = team("T1|w(y) T1|acq(own) T1|rel(own) ");
  EXPECT_EQ(with(text), Verdicts{});
  EXPECT_EQ(verdicts(text, papers_and({})), Verdicts{"f 10->14"});
}

TEST(QuietThreads, NotIfItUsedASharedLock) {
  EXPECT_EQ(with(team("T1|acq(m) T1|rel(m) ")), Verdicts{"f 10->13"});
}

TEST(QuietThreads, NotIfItUsedWhatHasNoLock) {
  EXPECT_EQ(with(team("T1|w(x) ")), Verdicts{"f 10->12"});
}

TEST(QuietThreads, NotIfItSynchronizedOtherwise) {
  EXPECT_EQ(with(team("T1|post(s) ")), Verdicts{"f 10->12"});
  EXPECT_EQ(with(team("T1|depart(b) ")), Verdicts{"f 10->12"});
}

TEST(QuietThreads, ItsChildrenMayBeQuietAndJoined) {
  EXPECT_EQ(with(team("T1|fork(T2) T1|fork(T3) T2|w(y) T1|join(T3) T1|join(T2) ")), Verdicts{});
}

TEST(QuietThreads, NotIfAChildWasNot) {
  EXPECT_EQ(with(team("T1|fork(T2) T2|acq(m) T2|rel(m) T1|join(T2) ")), Verdicts{"f 10->15"});
}

TEST(QuietThreads, NotIfItLeavesAChildBehind) {
  EXPECT_EQ(with(team("T1|fork(T2) ")), Verdicts{"f 10->12"});
  EXPECT_EQ(with(team("T1|fork(T2) T9|join(T2) ")), Verdicts{"f 10->13"});
}

TEST(QuietThreads, TheForkStaysALeftMover) {
  EXPECT_EQ(with(kShared + "T0|begin(f) T0|fork(T1) T0|acq(m) T0|rel(m) T0|join(T1) T0|end(f)"),
            Verdicts{"f 10->11"});
}

TEST(QuietThreads, AThreadThatIsForkedAgainStartsQuiet) {
  EXPECT_EQ(
      with("T0|fork(T1) T1|post(s) T0|join(T1) T0|begin(f) T0|fork(T1) T0|join(T1) T0|end(f)"),
      Verdicts{});
}

}  // namespace
}  // namespace isosan::test
