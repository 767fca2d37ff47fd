// 4.3: lock operations that nobody can contend for are both-movers, each kind behind its switch.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

using Switch = bool AtomizerOptions::*;

Verdicts without(Switch refinement, const std::string& text) {
  AtomizerOptions options;
  options.*refinement = false;
  return verdicts(text, options);
}

// Makes m and n shared locks: used by three threads.
const std::string kShare =
    "T1|acq(m) T1|rel(m) T2|acq(m) T2|rel(m) T0|acq(m) T0|rel(m) "
    "T1|acq(n) T1|rel(n) T2|acq(n) T2|rel(n) T0|acq(n) T0|rel(n) ";  // 12 events

TEST(LockMovers, SharedLocksAreRightAndLeftMovers) {
  EXPECT_EQ(verdicts(kShare + "T0|begin(f) T0|acq(m) T0|rel(m) T0|acq(m) T0|end(f)"),
            Verdicts{"f 14->15"});
}

TEST(LockMovers, ReentrantLocks) {
  const std::string text = kShare +
                           "T0|begin(f) T0|acq(m) T0|acq(m) T0|rel(m) T0|acq(m) T0|rel(m) T0|acq(n)"
                           " T0|rel(n) T0|rel(m) T0|end(f)";
  EXPECT_EQ(verdicts(text), Verdicts{});
  EXPECT_EQ(without(&AtomizerOptions::reentrant_locks, text), (Verdicts{"f 15->16", "f 17->18"}));
}

TEST(LockMovers, ThreadLocalLocks) {
  const std::string text = "T0|begin(f) T0|acq(l) T0|rel(l) T0|acq(l) T0|rel(l) T0|end(f)";
  EXPECT_EQ(verdicts(text), Verdicts{});
  EXPECT_EQ(without(&AtomizerOptions::thread_local_locks, text), Verdicts{"f 2->3"});
}

TEST(LockMovers, ThreadLocal2Locks) {
  const std::string text =
      "T1|acq(l) T1|rel(l) T0|begin(f) T0|acq(l) T0|rel(l) T0|acq(l) T0|rel(l) T0|end(f)";
  EXPECT_EQ(verdicts(text, any_handover()), Verdicts{}) << "initialised by T1, handed over to T0";
  EXPECT_EQ(without(&AtomizerOptions::thread_local_locks2, text), Verdicts{"f 4->5"});
  EXPECT_EQ(verdicts(text), Verdicts{"f 4->5"}) << "nothing tells T0 that T1 is done";
}

TEST(LockMovers, TheFirstThreadBackMakesALockShared) {
  EXPECT_EQ(verdicts("T0|acq(l) T0|rel(l) T1|acq(l) T1|rel(l)"
                     " T0|begin(f) T0|acq(l) T0|rel(l) T0|acq(l) T0|rel(l) T0|end(f)"),
            Verdicts{"f 6->7"});
}

TEST(LockMovers, ProtectedLocks) {
  const std::string use = "T0|acq(m) T0|acq(l) T0|rel(l) T0|rel(m) ";
  const std::string text = kShare + use + "T1|acq(m) T1|acq(l) T1|rel(l) T1|rel(m) " + use +
                           "T0|begin(f) T0|acq(m) T0|acq(l) T0|rel(l) T0|acq(l) T0|rel(l)"
                           " T0|rel(m) T0|end(f)";
  EXPECT_EQ(verdicts(text), Verdicts{}) << "l is only ever taken under m";
  EXPECT_EQ(without(&AtomizerOptions::protected_locks, text), Verdicts{"f 27->28"});
}

TEST(LockMovers, ALockTakenOnceWithoutItsProtectorIsNoLongerProtected) {
  const std::string use = "T0|acq(m) T0|acq(l) T0|rel(l) T0|rel(m) ";
  EXPECT_EQ(verdicts(kShare + use + "T1|acq(m) T1|acq(l) T1|rel(l) T1|rel(m) " + use +
                     "T1|acq(l) T1|rel(l)"
                     " T0|begin(f) T0|acq(m) T0|acq(l) T0|rel(l) T0|acq(l) T0|end(f)"),
            Verdicts{"f 29->30"});
}

TEST(LockMovers, AProtectorGivenUpFirstDoesNotProtect) {
  EXPECT_EQ(
      verdicts(kShare + "T0|acq(m) T0|acq(l) T0|rel(m) T0|rel(l) T1|acq(m) T1|acq(l) T1|rel(m)"
                        " T1|rel(l) T0|begin(f) T0|acq(m) T0|acq(l) T0|rel(l) T0|acq(l) T0|end(f)"),
      Verdicts{"f 23->24"});
}

TEST(LockMovers, ReusedMemoryIsANewLock) {
  EXPECT_EQ(verdicts(kShare + "T0|free(m) T0|begin(f) T0|acq(m) T0|rel(m) T0|acq(m) T0|end(f)"),
            Verdicts{});
}

TEST(LockMovers, BasicIsEveryRefinementOff) {
  const AtomizerOptions basic = AtomizerOptions::basic();
  for (const Switch refinement :
       {&AtomizerOptions::reentrant_locks, &AtomizerOptions::thread_local_locks,
        &AtomizerOptions::thread_local_locks2, &AtomizerOptions::protected_locks,
        &AtomizerOptions::write_protected, &AtomizerOptions::lone_thread,
        &AtomizerOptions::lone_regions, &AtomizerOptions::split_at_barrier,
        &AtomizerOptions::ordered_handover, &AtomizerOptions::quiet_threads,
        &AtomizerOptions::split_at_join, &AtomizerOptions::second_looks,
        &AtomizerOptions::split_at_fork, &AtomizerOptions::innermost, &AtomizerOptions::back_offs,
        &AtomizerOptions::seen_handover, &AtomizerOptions::late_windows,
        &AtomizerOptions::late_accesses, &AtomizerOptions::atomic_idioms}) {
    EXPECT_FALSE(basic.*refinement);
    EXPECT_TRUE(AtomizerOptions().*refinement);
  }
  EXPECT_TRUE(basic.thread_local_data);
}

}  // namespace
}  // namespace isosan::test
