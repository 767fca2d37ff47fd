// A window at data that only one thread has used so far is reported once another thread uses them
// beside (late_data.h).
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

const std::string kTeam = "T0|fork(T1) T0|fork(T2) ";  // 2 events
const std::string kOpen = kTeam + "T1|begin(f) ";      // 3
const std::string kClose = "T1|end(f) ";

Verdicts without(const std::string& text) {
  AtomizerOptions options;
  options.late_accesses = false;
  return verdicts(text, options);
}

TEST(LateData, ALostUpdateByTheThreadThatWasFirst) {
  const std::string text = kOpen + "T1|r(x) T2|w(x) T1|w(x) " + kClose;
  EXPECT_EQ(verdicts(text), Verdicts{"f 3->5"});
  EXPECT_EQ(without(text), Verdicts{});
}

TEST(LateData, WhenTheRegionIsOver) {
  const std::string writes = kOpen + "T1|w(x) T1|w(y) " + kClose;
  EXPECT_EQ(verdicts(writes + "T2|w(x)"), Verdicts{}) << "y is still its own";
  EXPECT_EQ(verdicts(writes + "T2|w(x) T2|r(y)"), Verdicts{"f 3->4"});
  EXPECT_EQ(verdicts(writes + "T2|r(y) T2|r(x)"), Verdicts{"f 3->4"}) << "in whatever order";
}

TEST(LateData, TwoReadsDoNotConflict) {
  EXPECT_EQ(verdicts(kOpen + "T1|r(x) T1|r(y) " + kClose + "T2|r(x) T2|r(y)"), Verdicts{});
}

TEST(LateData, NotWhatTheOtherThreadSeesAsPast) {
  const std::string writes = kOpen + "T1|w(x) T1|w(y) " + kClose;
  for (const char* handover : {"T1|acq(q) T1|rel(q) T2|acq(q) T2|rel(q) ", "T1|post(s) T2|take(s) ",
                               "T1|publish(o) T2|observe(o) "})
    EXPECT_EQ(verdicts(writes + handover + "T2|w(x) T2|w(y)"), Verdicts{}) << handover;
  EXPECT_EQ(verdicts(writes + "T0|join(T1) T0|w(x) T0|w(y)"), Verdicts{});
}

TEST(LateData, UnderALockItIsTakenForProtected) {
  EXPECT_EQ(verdicts(kOpen + "T1|acq(l) T1|w(x) T1|w(y) T1|rel(l) " + kClose + "T2|w(x) T2|w(y)"),
            Verdicts{});
}

TEST(LateData, ALookBeforeALock) {
  const std::string set = "T1|acq(l) T1|w(x) T1|rel(l) ", other = "T2|acq(l) T2|w(x) T2|rel(l) ";
  const std::string look = kOpen + "T1|r(x) " + other;
  EXPECT_EQ(verdicts(look + set + kClose), Verdicts{"f 3->7"});
  EXPECT_EQ(verdicts(look + "T1|acq(l) T1|r(x) T1|w(x) T1|rel(l) " + kClose), Verdicts{})
      << "it looks again";
}

TEST(LateData, FreedMemoryIsAnotherOne) {
  const std::string writes = kOpen + "T1|w(x) T1|w(y) " + kClose;
  EXPECT_EQ(verdicts(writes + "T1|free(x) T2|w(x) T2|w(y)"), Verdicts{});
}

}  // namespace
}  // namespace isosan::test
