// The synchronization that the paper leaves to the implementation.
#include "unit/singletrack/verdicts.h"

namespace isosan::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(Synchronization, BarriersAreDeterministic) {  // Figure 2(a)
  TraceBuilder p;
  p.block(0).fork(0, 1).read(0, "a").read(1, "b").arrive(0, "bar").arrive(1, "bar");
  p.depart(0, "bar").write(0, "b").depart(1, "bar").write(1, "a");
  p.arrive(0, "bar", 1).arrive(1, "bar", 1).depart(0, "bar", 1).read(0, "a").depart(1, "bar", 1);
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(Synchronization, AThreadThatCouldHaveBeenInThePhaseBeforeConflicts) {
  TraceBuilder p;
  p.block(0).fork(0, 1).fork(0, 2).arrive(0, "bar").arrive(1, "bar").depart(0, "bar");
  p.depart(1, "bar").arrive(1, "bar", 1).arrive(2, "bar", 1);
  EXPECT_THAT(conflicts(p), UnorderedElementsAre(Conflict{"block", 3, 8}, Conflict{"block", 4, 8}));
}

TEST(Synchronization, ReadersOfALockDoNotConflict) {
  TraceBuilder p;
  p.block(0).fork(0, 1).acquire(0, "m", LockMode::kShared).release(0, "m", LockMode::kShared);
  p.acquire(1, "m", LockMode::kShared).release(1, "m", LockMode::kShared).acquire(0, "m");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 5, 6}));
}

TEST(Synchronization, AtomicsAreLikeVolatiles) {
  TraceBuilder p;
  p.block(0).fork(0, 1).store(1, "a").load(0, "a");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 2, 3}));
  TraceBuilder loads;
  loads.block(0).fork(0, 1).load(1, "a").load(0, "a");
  EXPECT_THAT(conflicts(loads), IsEmpty());
  TraceBuilder counter;
  counter.block(0).fork(0, 1).rmw(1, "a").rmw(0, "a");
  EXPECT_THAT(conflicts(counter), ElementsAre(Conflict{"block", 2, 3}));
}

TEST(Synchronization, PublishAndOnceAreDeterministic) {
  TraceBuilder p;
  p.block(0).fork(0, 1).write(1, "x").sync(Kind::kPublish, 1, "future");
  p.sync(Kind::kObserve, 0, "future").read(0, "x");
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(Synchronization, TwoUnorderedWaitsOnOneConditionConflict) {
  TraceBuilder p;
  p.block(0).fork(0, 1).notify(0, "c").wait_end(1, "c").wait_end(0, "c");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 3, 4}));
}

// ---- what gave up ----

constexpr WaitOutcome kTimedOut = WaitOutcome::kTimedOut;

TEST(GivenUp, AFailedTryConflictsWithTheLockAndTheUnlock) {
  TraceBuilder p;
  p.block(0).fork(0, 1).acquire(0, "m").wait_end(1, "m", kTimedOut).release(0, "m");
  EXPECT_THAT(conflicts(p), UnorderedElementsAre(Conflict{"block", 2, 3}, Conflict{"block", 3, 4}));
}

TEST(GivenUp, AFailedTryConflictsWithALockThatComesLater) {
  TraceBuilder p;
  p.block(0).fork(0, 1).wait_end(1, "m", kTimedOut).acquire(0, "m", LockMode::kShared);
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 2, 3}));
}

TEST(GivenUp, ALockThatIsHeldFromTheForkToTheJoinFailsEveryTry) {
  TraceBuilder p;
  p.block(0).acquire(0, "m").fork(0, 1).wait_end(1, "m", kTimedOut).join(0, 1).release(0, "m");
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(GivenUp, AnInitializerThatWasNotRunConflictsWithTheOneThatWas) {
  TraceBuilder p;
  p.block(0).fork(0, 1).sync(Kind::kOnceDone, 0, "once").wait_end(1, "once", kTimedOut);
  p.sync(Kind::kOnceSeen, 1, "once");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 2, 3}));
}

TEST(GivenUp, ItMayStandInTheLogBeforeTheOneThatRan) {
  TraceBuilder p;
  p.block(0).fork(0, 1).wait_end(1, "once", kTimedOut).sync(Kind::kOnceDone, 0, "once");
  p.sync(Kind::kOnceSeen, 1, "once");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 2, 3}));
}

TEST(GivenUp, TwoFailedTriesDoNotConflict) {
  TraceBuilder p;
  p.block(0).fork(0, 1).wait_end(0, "m", kTimedOut).wait_end(1, "m", kTimedOut);
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(GivenUp, ATimedOutWaitConflictsWithANotifyAPostAnArrivalAndAPublication) {
  for (const Kind kind :
       {Kind::kNotify, Kind::kSemaphorePost, Kind::kBarrierArrive, Kind::kPublish}) {
    TraceBuilder p;
    p.block(0).fork(0, 1).wait_end(1, "o", kTimedOut).sync(kind, 0, "o");
    EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 2, 3})) << name_of(kind);
  }
}

TEST(GivenUp, OutsideOfBlocksItIsNoConflict) {
  TraceBuilder p;
  p.fork(0, 1).acquire(0, "m").wait_end(1, "m", kTimedOut).release(0, "m");
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(Semaphores, PostsCommuteAndAsManyWaitsComeAfterThem) {
  TraceBuilder p;
  p.block(0).fork(0, 1).fork(0, 2).write(1, "x").sync(Kind::kSemaphorePost, 1, "s");
  p.sync(Kind::kSemaphoreWait, 0, "s").write(2, "y").sync(Kind::kSemaphorePost, 2, "s");
  p.sync(Kind::kSemaphoreWait, 0, "s").read(0, "x").read(0, "y").end(0);
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(Semaphores, AWaitDoesNotComeAfterAPostItMayNotHaveNeeded) {
  TraceBuilder p;  // T0 reads x after one wait, but the other post may serve it
  p.block(0).fork(0, 1).fork(0, 2).write(1, "x").sync(Kind::kSemaphorePost, 1, "s");
  p.sync(Kind::kSemaphoreWait, 0, "s").read(0, "x").sync(Kind::kSemaphorePost, 2, "s");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 5, 7}));
}

TEST(Semaphores, OfOneThreadsPostsTheFirstKServeTheFirstKWaits) {
  TraceBuilder p;
  p.block(0).fork(0, 1).write(1, "x").sync(Kind::kSemaphorePost, 1, "s");
  p.write(1, "y").sync(Kind::kSemaphorePost, 1, "s");
  p.sync(Kind::kSemaphoreWait, 0, "s").read(0, "x").read(0, "y");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 4, 8}));
}

TEST(Semaphores, TwoUnorderedWaitsConflict) {
  TraceBuilder p;
  p.block(0).fork(0, 1).sync(Kind::kSemaphorePost, 0, "s").sync(Kind::kSemaphorePost, 0, "s");
  p.sync(Kind::kSemaphoreWait, 0, "s").sync(Kind::kSemaphoreWait, 1, "s");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 4, 5}));
}

TEST(Semaphores, WhatAWaitLearntIsPassedOn) {
  TraceBuilder p;
  p.block(0).fork(0, 1).write(1, "x").sync(Kind::kSemaphorePost, 1, "s");
  p.sync(Kind::kSemaphoreWait, 0, "s").fork(0, 2).read(2, "x");
  EXPECT_THAT(run(p), IsEmpty());
}

}  // namespace
}  // namespace isosan::test
