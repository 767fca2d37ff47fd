// Each rule of FastTrack by its name, then C++ atomics, synchronization, bytes and findings.
#include "analysis/fasttrack/fasttrack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "oracle/trace_builder.h"

namespace isosan {
namespace {

using test::Trace;
using test::TraceBuilder;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using Races = std::set<std::pair<std::uint64_t, std::uint64_t>>;  // ordinals

struct Outcome {
  FindingSink sink;
  Stats stats;

  Races races() const {
    Races races;
    for (const Finding& finding : sink.findings()) {
      races.emplace(finding.steps.at(0).where.ordinal, finding.steps.at(1).where.ordinal);
    }
    return races;
  }
  std::uint64_t stat(const std::string& name) const {
    for (const Stat& stat : stats) {
      if (stat.name == name) return stat.value;
    }
    ADD_FAILURE() << "no such counter: " << name;
    return 0;
  }
};

Outcome run(const TraceBuilder& builder, FastTrack::Options options = {}) {
  Outcome outcome;
  FastTrack fasttrack(outcome.sink, options);
  feed(fasttrack, builder.trace().events, 0);
  fasttrack.finish();
  outcome.stats = fasttrack.stats();
  return outcome;
}

constexpr MemoryOrder kRelaxed = MemoryOrder::kRelaxed;
constexpr MemoryOrder kAcquire = MemoryOrder::kAcquire;
constexpr MemoryOrder kRelease = MemoryOrder::kRelease;

// ---- the rules of the paper ----

TEST(FastTrackRules, ReadSameEpoch) {
  const Outcome outcome = run(TraceBuilder().read(0, "x").read(0, "x"));
  EXPECT_EQ(outcome.stat("read_same_epoch"), 1u);
  EXPECT_THAT(outcome.races(), IsEmpty());
}

TEST(FastTrackRules, ReadSharedOfTheSameEpochStaysShared) {
  const Outcome outcome = run(TraceBuilder().read(0, "x").read(1, "x").read(1, "x").read(0, "x"));
  EXPECT_EQ(outcome.stat("read_share"), 1u);
  EXPECT_EQ(outcome.stat("read_shared"), 2u);
  EXPECT_THAT(outcome.races(), IsEmpty());
}

TEST(FastTrackRules, ReadExclusive) {
  const Outcome outcome = run(TraceBuilder().read(0, "x").fork(0, 1).read(1, "x").write(1, "x"));
  EXPECT_EQ(outcome.stat("read_exclusive"), 2u);
  EXPECT_EQ(outcome.stat("read_share"), 0u);
  EXPECT_THAT(outcome.races(), IsEmpty());
}

TEST(FastTrackRules, ReadShareKeepsBothReaders) {
  const Outcome outcome = run(TraceBuilder().read(0, "x").read(1, "x").write(2, "x"));
  EXPECT_EQ(outcome.stat("read_share"), 1u);
  EXPECT_THAT(outcome.races(), ElementsAre(Pair(0, 2), Pair(1, 2)));
}

TEST(FastTrackRules, ReadSharedChecksTheLastWrite) {
  const Outcome outcome = run(
      TraceBuilder().write(0, "x").fork(0, 1).fork(0, 2).read(1, "x").read(2, "x").read(3, "x"));
  EXPECT_EQ(outcome.stat("read_shared"), 1u);
  EXPECT_THAT(outcome.races(), ElementsAre(Pair(0, 5)));
}

TEST(FastTrackRules, WriteSameEpoch) {
  const Outcome outcome = run(TraceBuilder().write(0, "x").write(0, "x"));
  EXPECT_EQ(outcome.stat("write_same_epoch"), 1u);
}

TEST(FastTrackRules, WriteExclusiveChecksTheLastWriteAndTheLastRead) {
  EXPECT_THAT(run(TraceBuilder().write(0, "x").write(1, "x")).races(), ElementsAre(Pair(0, 1)));
  EXPECT_THAT(run(TraceBuilder().read(0, "x").write(1, "x")).races(), ElementsAre(Pair(0, 1)));
  EXPECT_EQ(run(TraceBuilder().read(0, "x").write(0, "x")).stat("write_exclusive"), 1u);
}

TEST(FastTrackRules, WriteSharedChecksEveryReaderAndForgetsThem) {
  const Outcome outcome = run(TraceBuilder()
                                  .fork(0, 1)
                                  .fork(0, 2)
                                  .read(1, "x")
                                  .read(2, "x")
                                  .join(0, 1)
                                  .join(0, 2)
                                  .write(0, "x")
                                  .read(0, "x"));
  EXPECT_EQ(outcome.stat("write_shared"), 1u);
  EXPECT_EQ(outcome.stat("read_exclusive"), 2u);
  EXPECT_THAT(outcome.races(), IsEmpty());
}

TEST(FastTrackRules, WriteSharedRacesWithTheOneReaderThatWasNotJoined) {
  const Outcome outcome =
      run(TraceBuilder().fork(0, 1).fork(0, 2).read(1, "x").read(2, "x").join(0, 1).write(0, "x"));
  EXPECT_THAT(outcome.races(), ElementsAre(Pair(3, 5)));
}

TEST(FastTrackRules, AcquireComesAfterTheReleaseOnly) {
  TraceBuilder before;
  before.acquire(0, "m").write(0, "x").release(0, "m").acquire(1, "m").read(1, "x");
  EXPECT_THAT(run(before).races(), IsEmpty());
  TraceBuilder after;
  after.acquire(0, "m").release(0, "m").write(0, "x").acquire(1, "m").read(1, "x");
  EXPECT_THAT(run(after).races(), ElementsAre(Pair(2, 4)));
}

TEST(FastTrackRules, ForkOrdersWhatTheParentDidBeforeIt) {
  EXPECT_THAT(run(TraceBuilder().write(0, "x").fork(0, 1).read(1, "x")).races(), IsEmpty());
  EXPECT_THAT(run(TraceBuilder().fork(0, 1).write(0, "x").read(1, "x")).races(),
              ElementsAre(Pair(1, 2)));
}

TEST(FastTrackRules, JoinOrdersWhatTheChildDidBeforeIt) {
  EXPECT_THAT(run(TraceBuilder().write(1, "x").join(0, 1).read(0, "x")).races(), IsEmpty());
  EXPECT_THAT(run(TraceBuilder().join(0, 1).write(1, "x").read(0, "x")).races(),
              ElementsAre(Pair(1, 2)));
}

// ---- other synchronization ----

TEST(FastTrackSync, SharedLockersAreOrderedWithTheExclusiveOneOnly) {
  TraceBuilder trace;
  trace.acquire(0, "m", LockMode::kShared).write(0, "x").release(0, "m", LockMode::kShared);
  trace.acquire(1, "m", LockMode::kShared).write(1, "x").release(1, "m", LockMode::kShared);
  trace.acquire(2, "m").write(2, "x").release(2, "m");
  EXPECT_THAT(run(trace).races(), ElementsAre(Pair(1, 4)));
}

TEST(FastTrackSync, ReentrantReleaseGivesNothingAway) {
  TraceBuilder trace;
  trace.acquire(0, "m").acquire(0, "m").release(0, "m").write(0, "x").release(0, "m");
  trace.acquire(1, "m").write(1, "x").release(1, "m");
  EXPECT_THAT(run(trace).races(), IsEmpty());
}

TEST(FastTrackSync, BarrierOrdersPhasesOfOneGenerationOnly) {
  TraceBuilder phases;
  phases.write(0, "x").arrive(0, "b").arrive(1, "b").depart(1, "b").read(1, "x").depart(0, "b");
  EXPECT_THAT(run(phases).races(), IsEmpty());
  TraceBuilder late;  // T0 is in the next phase already when T1 departs from the first one
  late.arrive(0, "b", 0).arrive(1, "b", 0).depart(0, "b", 0).write(0, "x").arrive(0, "b", 1);
  late.depart(1, "b", 0).write(1, "x");
  EXPECT_THAT(run(late).races(), ElementsAre(Pair(3, 6)));
}

TEST(FastTrackSync, SemaphoreConditionOnceAndPublish) {
  const std::pair<Kind, Kind> pairs[] = {{Kind::kSemaphorePost, Kind::kSemaphoreWait},
                                         {Kind::kNotify, Kind::kWaitEnd},
                                         {Kind::kOnceDone, Kind::kOnceSeen},
                                         {Kind::kPublish, Kind::kObserve}};
  for (const auto& [post, wait] : pairs) {
    TraceBuilder ordered;
    ordered.write(0, "x").sync(post, 0, "s").sync(wait, 1, "s").write(1, "x");
    EXPECT_THAT(run(ordered).races(), IsEmpty()) << name_of(post);
    TraceBuilder waits_only;
    waits_only.write(0, "x").sync(wait, 0, "s").sync(wait, 1, "s").write(1, "x");
    EXPECT_THAT(run(waits_only).races(), ElementsAre(Pair(0, 3))) << name_of(post);
  }
}

TEST(FastTrackSync, WaitThatTimedOutOrdersNothing) {
  TraceBuilder trace;
  trace.write(0, "x").notify(0, "c").wait_end(1, "c", WaitOutcome::kTimedOut).write(1, "x");
  EXPECT_THAT(run(trace).races(), ElementsAre(Pair(0, 3)));
}

TEST(FastTrackSync, ForkComesBeforeTheJoinOfASilentThread) {
  EXPECT_THAT(run(TraceBuilder().write(0, "x").fork(0, 1).join(2, 1).write(2, "x")).races(),
              IsEmpty());
}

// ---- C++ atomics ----

TEST(FastTrackAtomics, NeverRaceWithEachOtherButWithPlainAccesses) {
  EXPECT_THAT(run(TraceBuilder().store(0, "a", kRelaxed).rmw(1, "a", kRelaxed)).races(), IsEmpty());
  EXPECT_THAT(run(TraceBuilder().store(0, "a", kRelaxed).read(1, "a")).races(),
              ElementsAre(Pair(0, 1)));
  EXPECT_THAT(run(TraceBuilder().load(0, "a", kRelaxed).write(1, "a")).races(),
              ElementsAre(Pair(0, 1)));
  EXPECT_THAT(run(TraceBuilder().write(0, "a").load(1, "a", kAcquire)).races(),
              ElementsAre(Pair(0, 1)));
  EXPECT_THAT(run(TraceBuilder().load(0, "a", kRelaxed).read(1, "a")).races(), IsEmpty());
}

TEST(FastTrackAtomics, EveryUnorderedAtomicWriteIsRememberedNotOnlyTheLast) {
  TraceBuilder trace;
  trace.store(0, "a", kRelaxed).fork(2, 1).store(1, "a", kRelaxed).join(2, 1).read(2, "a");
  EXPECT_THAT(run(trace).races(), ElementsAre(Pair(0, 4)));
}

TEST(FastTrackAtomics, ReleaseStoreSynchronizesWithAcquireLoad) {
  TraceBuilder trace;
  trace.write(0, "x").store(0, "a", kRelease).load(1, "a", kAcquire).read(1, "x");
  EXPECT_THAT(run(trace).races(), IsEmpty());
}

TEST(FastTrackAtomics, RelaxedOnEitherSideDoesNotSynchronize) {
  TraceBuilder store;
  store.write(0, "x").store(0, "a", kRelaxed).load(1, "a", kAcquire).read(1, "x");
  EXPECT_THAT(run(store).races(), ElementsAre(Pair(0, 3)));
  TraceBuilder load;
  load.write(0, "x").store(0, "a", kRelease).load(1, "a", kRelaxed).read(1, "x");
  EXPECT_THAT(run(load).races(), ElementsAre(Pair(0, 3)));
}

TEST(FastTrackAtomics, ReadModifyWriteContinuesTheReleaseSequence) {
  TraceBuilder trace;
  trace.write(0, "x").store(0, "a", kRelease).rmw(1, "a", kRelaxed).load(2, "a", kAcquire);
  trace.read(2, "x");
  EXPECT_THAT(run(trace).races(), IsEmpty());
}

TEST(FastTrackAtomics, PlainStoreOfAnyThreadEndsTheReleaseSequence) {
  for (const int storer : {0, 1}) {
    TraceBuilder trace;
    trace.write(0, "x").store(0, "a", kRelease).store(storer, "a", kRelaxed);
    trace.load(2, "a", kAcquire).read(2, "x");
    EXPECT_THAT(run(trace).races(), ElementsAre(Pair(0, 4))) << "by thread " << storer;
  }
}

TEST(FastTrackAtomics, AcquireFenceAfterARelaxedLoad) {
  TraceBuilder trace;
  trace.write(0, "x").store(0, "a", kRelease).load(1, "a", kRelaxed).fence(1, kAcquire);
  trace.read(1, "x");
  EXPECT_THAT(run(trace).races(), IsEmpty());
}

TEST(FastTrackAtomics, ReleaseFenceBeforeARelaxedStore) {
  TraceBuilder trace;
  trace.write(0, "x").fence(0, kRelease).store(0, "a", kRelaxed).load(1, "a", kAcquire);
  trace.read(1, "x");
  EXPECT_THAT(run(trace).races(), IsEmpty());
  TraceBuilder too_late;
  too_late.fence(0, kRelease).write(0, "x").store(0, "a", kRelaxed).load(1, "a", kAcquire);
  too_late.read(1, "x");
  EXPECT_THAT(run(too_late).races(), ElementsAre(Pair(1, 4)));
}

TEST(FastTrackAtomics, FenceToFence) {
  TraceBuilder trace;
  trace.write(0, "x").fence(0).store(0, "a", kRelaxed).load(1, "a", kRelaxed).fence(1);
  trace.read(1, "x");
  EXPECT_THAT(run(trace).races(), IsEmpty());
}

TEST(FastTrackAtomics, TheAcquireItselfComesAfterWhatItRead) {
  TraceBuilder trace;  // the plain initialisation of the atomic happens before the load
  trace.write(0, "a").store(0, "a", kRelease).load(1, "a", kAcquire);
  EXPECT_THAT(run(trace).races(), IsEmpty());
}

// ---- bytes and memory ----

TEST(FastTrackBytes, OnlySharedBytesRace) {
  EXPECT_THAT(run(TraceBuilder().write(0, "x+0:4").write(1, "x+4:4")).races(), IsEmpty());
  TraceBuilder overlap;
  overlap.write(0, "x+0:4").write(1, "x+2:4");
  const Outcome outcome = run(overlap);
  ASSERT_THAT(outcome.races(), ElementsAre(Pair(0, 1)));
  EXPECT_EQ(outcome.sink.findings().at(0).steps.at(1).address, overlap.address_of("x") + 2);
  EXPECT_EQ(outcome.sink.findings().at(0).steps.at(1).size, 2u);
}

TEST(FastTrackBytes, AWideAccessRacesOnceNotOncePerGranule) {
  const Outcome outcome = run(TraceBuilder().write(0, "x+0:64").read(1, "x+0:64"));
  EXPECT_THAT(outcome.races(), ElementsAre(Pair(0, 1)));
  EXPECT_EQ(outcome.sink.findings().at(0).times, 1u);
}

TEST(FastTrackBytes, AllocatedAndFreedBytesAreNewLocations) {
  EXPECT_THAT(run(TraceBuilder().write(0, "x").allocate(1, "x").write(1, "x")).races(), IsEmpty());
  EXPECT_THAT(run(TraceBuilder().write(0, "x").allocate(1, "x+0:4").write(1, "x+4:4")).races(),
              ElementsAre(Pair(0, 2)));
  TraceBuilder atomic;  // the new atomic was not stored to: nothing to synchronize with
  atomic.write(0, "x").store(0, "a", kRelease).allocate(1, "a").load(1, "a", kAcquire);
  atomic.read(1, "x");
  EXPECT_THAT(run(atomic).races(), ElementsAre(Pair(0, 4)));
}

TEST(FastTrackBlocks, FreeWritesTheBlock) {
  EXPECT_THAT(run(TraceBuilder().read(0, "x+56").free(1, "x+0:64")).races(),
              ElementsAre(Pair(0, 1)));
  EXPECT_THAT(run(TraceBuilder().free(0, "x+0:64").read(1, "x+56")).races(),
              ElementsAre(Pair(0, 1)));
  EXPECT_THAT(run(TraceBuilder().load(0, "x").free(1, "x+0:64")).races(), ElementsAre(Pair(0, 1)));
  EXPECT_THAT(run(TraceBuilder().free(0, "x").free(1, "x")).races(), ElementsAre(Pair(0, 1)));
  EXPECT_THAT(run(TraceBuilder().free(0, "x+0:4").write(1, "x+4:4")).races(), IsEmpty());
  EXPECT_THAT(run(TraceBuilder().free(0, "x").free(0, "x+0:4").write(1, "x+4:4")).races(),
              ElementsAre(Pair(0, 2)));
}

TEST(FastTrackBlocks, AllocateWritesTheBlockForThoseWhoUseItLater) {
  EXPECT_THAT(run(TraceBuilder().read(0, "x").allocate(1, "x+0:64")).races(), IsEmpty());
  EXPECT_THAT(run(TraceBuilder().free(0, "x").allocate(1, "x")).races(), IsEmpty());
  EXPECT_THAT(run(TraceBuilder().allocate(0, "x+0:64").read(1, "x+8")).races(),
              ElementsAre(Pair(0, 1)));
}

TEST(FastTrackBlocks, AStackIsNotHandedOver) {
  EXPECT_THAT(run(TraceBuilder().read(0, "x").free(1, "x", MemoryOrigin::kStack)).races(),
              IsEmpty());
  EXPECT_THAT(run(TraceBuilder().free(0, "x", MemoryOrigin::kStack).read(1, "x")).races(),
              IsEmpty());
}

TEST(FastTrackObjects, AnOperationOnALockReadsIt) {
  TraceBuilder made_late;  // the lock itself does not order its own initialization
  made_late.write(0, "m").acquire(0, "m").release(0, "m").acquire(1, "m");
  EXPECT_THAT(run(made_late).races(), ElementsAre(Pair(0, 3)));
  TraceBuilder destroyed_early;
  destroyed_early.acquire(0, "m").release(0, "m").write(1, "m");
  EXPECT_THAT(run(destroyed_early).races(), ElementsAre(Pair(1, 2)));
  TraceBuilder last_user_destroys;
  last_user_destroys.acquire(0, "m").release(0, "m").acquire(1, "m").release(1, "m").free(1, "m");
  EXPECT_THAT(run(last_user_destroys).races(), IsEmpty());
}

TEST(FastTrackObjects, ConditionsAndBarriersAreReadToo) {
  EXPECT_THAT(run(TraceBuilder().notify(0, "c").free(1, "c")).races(), ElementsAre(Pair(0, 1)));
  EXPECT_THAT(run(TraceBuilder().wait_begin(0, "c").free(1, "c").wait_end(0, "c")).races(),
              ElementsAre(Pair(0, 1)));
  EXPECT_THAT(run(TraceBuilder().notify(0, "c").wait_end(1, "c").free(1, "c")).races(),
              ElementsAre(Pair(0, 2)));
  EXPECT_THAT(run(TraceBuilder().write(0, "b").arrive(1, "b")).races(), ElementsAre(Pair(0, 1)));
  TraceBuilder left;
  left.arrive(0, "b").arrive(1, "b").depart(0, "b").write(0, "b").depart(1, "b");
  EXPECT_THAT(run(left).races(), ElementsAre(Pair(3, 4)));
}

// ---- findings ----

Event access(Kind kind, int thread, SiteId site, ContextId context = {}) {
  return {.kind = kind,
          .thread = ThreadId{static_cast<std::uint32_t>(thread)},
          .address = 64,
          .size = 8,
          .site = site,
          .context = context};
}

Outcome run(const std::vector<Event>& events, FastTrack::Options options = {}) {
  Outcome outcome;
  FastTrack fasttrack(outcome.sink, options);
  feed(fasttrack, events, 0);
  return outcome;
}

TEST(FastTrackFinding, IsToldOncePerUnorderedPairOfSites) {
  const Outcome outcome =
      run({access(Kind::kWrite, 0, SiteId{1}), access(Kind::kWrite, 1, SiteId{2}),
           access(Kind::kWrite, 0, SiteId{1})});
  ASSERT_EQ(outcome.sink.findings().size(), 1u);
  EXPECT_EQ(outcome.sink.findings().at(0).times, 2u);
}

TEST(FastTrackFinding, WithoutSitesIsToldOncePerPairOfFunctions) {
  Tables tables;
  tables.functions.resize(3);
  tables.contexts.push_back({.function = FunctionId{1}});
  tables.contexts.push_back({.function = FunctionId{2}});
  tables.contexts.push_back({.parent = ContextId{1}, .function = FunctionId{2}});
  const std::vector<Event> events = {access(Kind::kWrite, 0, kNoSite, ContextId{1}),
                                     access(Kind::kWrite, 1, kNoSite, ContextId{2}),
                                     access(Kind::kWrite, 0, kNoSite, ContextId{1}),
                                     access(Kind::kWrite, 1, kNoSite, ContextId{3})};
  const Outcome outcome = run(events, FastTrack::Options{.tables = &tables});
  ASSERT_EQ(outcome.sink.findings().size(), 1u);
  EXPECT_EQ(outcome.sink.findings().at(0).times, 3u);
}

TEST(FastTrackFinding, NamesThreadsOperationsAndTransactions) {
  TraceBuilder trace;
  trace.begin(0, "deposit").write(0, "x").end(0).begin(1, "audit").read(1, "x");
  const Outcome outcome = run(trace);
  ASSERT_EQ(outcome.sink.findings().size(), 1u);
  const Finding& finding = outcome.sink.findings().at(0);
  EXPECT_EQ(finding.kind, FindingKind::kDataRace);
  EXPECT_EQ(finding.steps.at(0).operation, Kind::kWrite);
  EXPECT_EQ(finding.steps.at(1).operation, Kind::kRead);
  EXPECT_EQ(finding.transactions.at(0).region, trace.region_of("deposit"));
  EXPECT_TRUE(finding.transactions.at(0).finished);
  EXPECT_EQ(finding.transactions.at(1).region, trace.region_of("audit"));
  EXPECT_FALSE(finding.transactions.at(1).finished);
  EXPECT_EQ(finding.transactions.at(1).begin.ordinal, 3u);
  EXPECT_EQ(finding.transactions.at(1).thread, ThreadId{1});
}

TEST(FastTrackFinding, AnAccessOutsideEveryRegionIsAUnaryTransaction) {
  const Outcome outcome = run(TraceBuilder().write(0, "x").write(1, "x"));
  EXPECT_EQ(outcome.sink.findings().at(0).transactions.at(0).region, kNoRegion);
}

}  // namespace
}  // namespace isosan
