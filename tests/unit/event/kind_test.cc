// The table of kinds, column by column, against lists that are written out here.
#include "event/kind.h"

#include <gtest/gtest.h>

#include <set>

#include "event/sync_effect.h"
#include "event/waiting.h"

namespace isosan {
namespace {

using Kinds = std::set<Kind>;

template <class Predicate>
Kinds kinds_where(Predicate holds) {
  Kinds found;
  for (std::size_t i = 0; i < kKindCount; ++i)
    if (holds(static_cast<Kind>(i))) found.insert(static_cast<Kind>(i));
  return found;
}

TEST(Kinds, AccessesAndWhatTheyDo) {
  EXPECT_EQ(kinds_where(is_access), (Kinds{Kind::kRead, Kind::kWrite, Kind::kAtomicLoad,
                                           Kind::kAtomicStore, Kind::kAtomicRmw}));
  EXPECT_EQ(kinds_where(reads), (Kinds{Kind::kRead, Kind::kAtomicLoad, Kind::kAtomicRmw}));
  EXPECT_EQ(kinds_where(writes), (Kinds{Kind::kWrite, Kind::kAtomicStore, Kind::kAtomicRmw}));
  EXPECT_EQ(kinds_where(is_atomic),
            (Kinds{Kind::kAtomicLoad, Kind::kAtomicStore, Kind::kAtomicRmw}));
}

TEST(Kinds, WhatIsNoOperation) {
  EXPECT_EQ(
      kinds_where([](Kind kind) { return !is_operation(kind); }),
      (Kinds{Kind::kThreadStart, Kind::kThreadEnd, Kind::kBegin, Kind::kEnd, Kind::kCall,
             Kind::kReturn, Kind::kWaitEnd, Kind::kBarrierDepart, Kind::kAllocate, Kind::kFree}));
}

TEST(Kinds, CutsAreRegionEdgesAndWhatPublishes) {
  Kinds expected{Kind::kBegin, Kind::kEnd};
  for (std::size_t i = 0; i < kKindCount; ++i) {
    const SyncEffect effect = sync_effect(static_cast<Kind>(i), 0);
    if (effect.sets_w || effect.joins_r) expected.insert(static_cast<Kind>(i));
  }
  EXPECT_EQ(kinds_where(is_cut), expected);
}

TEST(Kinds, WhatLeavesEverythingAsItWas) {
  EXPECT_EQ(kinds_where([](Kind kind) { return !has(kind, trait::kChanges); }),
            (Kinds{Kind::kRead, Kind::kAtomicLoad, Kind::kFence, Kind::kAcquire, Kind::kRelease,
                   Kind::kBegin, Kind::kEnd, Kind::kCall, Kind::kReturn, Kind::kWaitBegin,
                   Kind::kWaitEnd, Kind::kOnceSeen, Kind::kObserve}));
}

TEST(Kinds, WhatWaitsIsNoRegion) {
  EXPECT_EQ(kinds_where([](Kind kind) { return waiting_of(kind) == Waiting::kFunction; }),
            (Kinds{Kind::kNotify, Kind::kSemaphorePost}));
  EXPECT_EQ(kinds_where([](Kind kind) { return waiting_of(kind) == Waiting::kCallers; }),
            (Kinds{Kind::kFork, Kind::kJoin, Kind::kWaitBegin, Kind::kBarrierArrive,
                   Kind::kBarrierDepart, Kind::kSemaphoreWait}));
}

TEST(Kinds, OrderOfSynchronization) {
  const auto observes_w = [](Kind kind) { return sync_effect(kind, 0).observes_w; };
  const auto observes_r = [](Kind kind) { return sync_effect(kind, 0).observes_r; };
  const auto sets_w = [](Kind kind) { return sync_effect(kind, 0).sets_w; };
  const auto joins_r = [](Kind kind) { return sync_effect(kind, 0).joins_r; };
  EXPECT_EQ(kinds_where(observes_w),
            (Kinds{Kind::kAcquire, Kind::kThreadStart, Kind::kJoin, Kind::kOnceSeen}));
  EXPECT_EQ(kinds_where(observes_r), (Kinds{Kind::kAcquire, Kind::kWaitEnd, Kind::kBarrierDepart,
                                            Kind::kSemaphoreWait, Kind::kObserve}));
  EXPECT_EQ(kinds_where(sets_w),
            (Kinds{Kind::kRelease, Kind::kFork, Kind::kThreadEnd, Kind::kOnceDone}));
  EXPECT_EQ(kinds_where(joins_r),
            (Kinds{Kind::kNotify, Kind::kBarrierArrive, Kind::kSemaphorePost, Kind::kPublish}));
}

TEST(Kinds, SharedAndReentrantLocksAndTimedOutWaits) {
  constexpr auto kShared = static_cast<std::uint8_t>(LockMode::kShared);
  constexpr auto kTimedOut = static_cast<std::uint8_t>(WaitOutcome::kTimedOut);
  const SyncEffect acquired = sync_effect(Kind::kAcquire, kShared);
  EXPECT_TRUE(acquired.observes_w && !acquired.observes_r);
  const SyncEffect released = sync_effect(Kind::kRelease, kShared | kBacksOff);
  EXPECT_TRUE(released.joins_r && !released.sets_w);
  for (const SyncEffect none :
       {sync_effect(Kind::kAcquire, 0, 1), sync_effect(Kind::kRelease, 0, 1),
        sync_effect(Kind::kWaitEnd, kTimedOut)})
    EXPECT_FALSE(none.observes_w || none.observes_r || none.sets_w || none.joins_r);
}

}  // namespace
}  // namespace isosan
