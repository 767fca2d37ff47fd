// A hand-over to a second thread needs an order in this run (thread_order.h), and a window at a lock
// that was one thread's own is reported once another thread uses it (late_windows.h).
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

const std::string kTeam = "T0|fork(T1) T0|fork(T2) ";  // 2 events

std::string lock_twice(const std::string& thread, const std::string& lock = "l") {
  const std::string hold = thread + "|acq(" + lock + ") " + thread + "|rel(" + lock + ") ";
  return thread + "|begin(f) " + hold + hold + thread + "|end(f) ";  // 6 events
}
std::string use(const std::string& thread, const std::string& lock) {
  return thread + "|acq(" + lock + ") " + thread + "|rel(" + lock + ") ";
}
Verdicts without(bool AtomizerOptions::*refinement, const std::string& text) {
  AtomizerOptions options;
  options.*refinement = false;
  return verdicts(text, options);
}

TEST(SeenHandover, ALockThatTwoThreadsUseOnceIsShared) {
  const std::string text = kTeam + use("T1", "l") + lock_twice("T2");
  EXPECT_EQ(verdicts(text), Verdicts{"f 6->7"});
  EXPECT_EQ(without(&AtomizerOptions::seen_handover, text), Verdicts{});
}

TEST(SeenHandover, ByAnotherLock) {
  EXPECT_EQ(verdicts(kTeam + use("T1", "l") + use("T1", "q") + use("T2", "q") + lock_twice("T2")),
            Verdicts{})
      << "T1 puts an object into a queue under q, T2 takes it out";
}

TEST(SeenHandover, ReadersOfALockDoNotSeeEachOther) {
  EXPECT_EQ(verdicts(kTeam + use("T1", "l") + "T1|acq.shared(q) T1|rel.shared(q) " +
                     "T2|acq.shared(q) T2|rel.shared(q) " + lock_twice("T2")),
            Verdicts{"f 10->11"});
}

TEST(SeenHandover, OfData) {
  const std::string writes = "T2|begin(f) T2|w(x) T2|w(x) T2|end(f)";
  EXPECT_EQ(verdicts(kTeam + "T1|w(x) " + writes), Verdicts{"f 4->5"});
  for (const char* handover : {"T1|acq(q) T1|rel(q) T2|acq(q) T2|rel(q) ", "T1|post(s) T2|take(s) ",
                               "T1|publish(o) T2|observe(o) "}) {
    EXPECT_EQ(verdicts(kTeam + "T1|w(x) " + handover + writes), Verdicts{}) << handover;
  }
}

TEST(SeenHandover, WhatIsOnlyReadIsNotShared) {
  EXPECT_EQ(verdicts("T0|w(x) " + kTeam + "T1|r(x) T2|begin(f) T2|r(x) T2|r(x) T2|end(f)"),
            Verdicts{});
}

TEST(LateWindows, OfTheThreadThatUsedTheLockFirst) {
  const std::string text = kTeam + lock_twice("T1") + use("T2", "l");
  EXPECT_EQ(verdicts(text), Verdicts{"f 4->5"});
  EXPECT_EQ(without(&AtomizerOptions::late_windows, text), Verdicts{});
  EXPECT_EQ(verdicts(kTeam + lock_twice("T1")), Verdicts{}) << "nobody else uses it";
}

TEST(LateWindows, NotOfWhatIsPast) {
  EXPECT_EQ(verdicts("T0|fork(T1) " + lock_twice("T1") + "T0|join(T1) T0|fork(T2) T0|fork(T3) " +
                     use("T2", "l") + use("T3", "l")),
            Verdicts{});
  EXPECT_EQ(verdicts(kTeam + lock_twice("T1") + use("T1", "q") + use("T2", "q") + use("T2", "l") +
                     use("T1", "l")),
            Verdicts{})
      << "T1 has handed it over by then";
}

TEST(LateWindows, NotUnderALockThatProtectsThisOne) {
  const std::string inner =
      "T1|begin(f) T1|acq(m) " + use("T1", "l") + use("T1", "l") + "T1|rel(m) T1|end(f) ";
  EXPECT_EQ(verdicts(kTeam + inner + "T2|acq(m) " + use("T2", "l") + "T2|rel(m)"), Verdicts{});
  EXPECT_EQ(verdicts(kTeam + inner + use("T2", "l")), Verdicts{"f 5->6"});
}

TEST(LateWindows, AnOwnLockHidesNoOtherWindow) {
  const std::string shared = use("T1", "m") + use("T2", "m");  // 4 events
  EXPECT_EQ(verdicts(kTeam + shared + "T1|begin(f) " + use("T1", "m") + use("T1", "l") +
                     use("T1", "m") + "T1|end(f)"),
            Verdicts{"f 8->11"});
}

}  // namespace
}  // namespace isosan::test
