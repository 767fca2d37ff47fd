// Every rule of Figures 4 and 5 by its name, then the synchronization the paper leaves to the
// implementation, nesting, the filter and what findings say.
#include "analysis/singletrack/singletrack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "oracle/trace_builder.h"

namespace isosan {
namespace {

using test::TraceBuilder;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<Finding> run(const TraceBuilder& trace, SingleTrack::Options options = {}) {
  FindingSink sink;
  SingleTrack analysis(sink, options);
  feed(analysis, trace.trace().events, 0);
  analysis.finish();
  return sink.findings();
}

using Conflict = std::tuple<std::string, std::uint64_t, std::uint64_t>;  // region, two ordinals

std::vector<Conflict> conflicts(const TraceBuilder& trace, SingleTrack::Options options = {}) {
  std::vector<Conflict> result;
  for (const Finding& finding : run(trace, options)) {
    if (finding.kind != FindingKind::kConflict) continue;
    result.emplace_back(trace.trace().tables.regions.at(index(finding.region)).name,
                        finding.steps.at(0).where.ordinal, finding.steps.at(1).where.ordinal);
  }
  return result;
}

// The names of the blamed regions of all cycles.
std::vector<std::string> blamed(const TraceBuilder& trace, SingleTrack::Options options = {}) {
  std::vector<std::string> result;
  for (const Finding& finding : run(trace, options)) {
    if (finding.kind != FindingKind::kNotExternallySerializable) continue;
    result.push_back(trace.trace().tables.regions.at(index(finding.region)).name);
  }
  return result;
}

// ---- Figure 4: conflict freedom ----

TEST(ConflictFreedom, CfBegin) {  // what came before the block is not in it
  TraceBuilder p;
  p.write(1, "x").block(0).write(0, "x").fork(0, 2).read(1, "x");
  EXPECT_THAT(conflicts(p), IsEmpty());
}

TEST(ConflictFreedom,
     CfEnd) {  // after its end the thread is no longer in the block, its children are
  TraceBuilder p;
  p.block(0).fork(0, 1).end(0).write(0, "x").write(1, "x");
  EXPECT_THAT(conflicts(p), IsEmpty());
  TraceBuilder children;
  children.block(0).fork(0, 1).fork(0, 2).end(0).write(1, "x").write(2, "x");
  EXPECT_THAT(conflicts(children), ElementsAre(Conflict{"block", 4, 5}));
}

TEST(ConflictFreedom, CfAcquire) {
  TraceBuilder unordered;
  unordered.block(0).fork(0, 1).acquire(0, "m").release(0, "m").acquire(1, "m").release(1, "m");
  EXPECT_THAT(conflicts(unordered), ElementsAre(Conflict{"block", 3, 4}));
  TraceBuilder ordered;
  ordered.block(0).fork(0, 1).acquire(1, "m").release(1, "m").join(0, 1).acquire(0, "m");
  EXPECT_THAT(conflicts(ordered), IsEmpty());
}

TEST(ConflictFreedom, CfRelease) {  // the unlock is what counts: here it comes after the fork
  TraceBuilder p;
  p.block(0).acquire(0, "m").fork(0, 1).release(0, "m").acquire(1, "m");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 3, 4}));
}

TEST(ConflictFreedom, CfRead) {
  TraceBuilder unordered;
  unordered.block(0).fork(0, 1).write(1, "x").read(0, "x");
  EXPECT_THAT(conflicts(unordered), ElementsAre(Conflict{"block", 2, 3}));
  TraceBuilder two_reads;
  two_reads.block(0).fork(0, 1).read(1, "x").read(0, "x");
  EXPECT_THAT(conflicts(two_reads), IsEmpty());
}

TEST(ConflictFreedom, CfWrite) {
  TraceBuilder p;
  p.block(0).fork(0, 1).fork(0, 2).read(1, "x").write(2, "x").write(0, "x");
  EXPECT_THAT(conflicts(p, {.filter = false}),
              UnorderedElementsAre(Conflict{"block", 3, 4}, Conflict{"block", 3, 5},
                                   Conflict{"block", 4, 5}));
}

TEST(ConflictFreedom, ALockOrdersNothingInsideTheBlock) {
  TraceBuilder p;
  p.block(0).fork(0, 1);
  p.acquire(1, "m").write(1, "x").release(1, "m").acquire(0, "m").write(0, "x").release(0, "m");
  EXPECT_THAT(conflicts(p, {.filter = false}),
              UnorderedElementsAre(Conflict{"block", 4, 5}, Conflict{"block", 3, 6}));
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 4, 5}));  // the access follows the lock
}

TEST(ConflictFreedom, CfFork) {
  TraceBuilder p;
  p.block(0).write(0, "x").fork(0, 1).read(1, "x").write(0, "x");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 3, 4}));
}

TEST(ConflictFreedom, CfJoin) {
  TraceBuilder p;
  p.block(0).fork(0, 1).write(1, "x").join(0, 1).read(0, "x").end(0);
  EXPECT_THAT(conflicts(p), IsEmpty());
}

TEST(ConflictFreedom, CfStop) {
  TraceBuilder p;
  p.block(0).fork(0, 1).write(1, "x").thread_end(1).read(0, "x");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"block", 2, 4}));
}

TEST(ConflictFreedom, CfOutside) {
  TraceBuilder p;
  p.fork(0, 1).write(0, "x").write(1, "x").acquire(0, "m").release(0, "m").acquire(1, "m");
  EXPECT_THAT(conflicts(p), IsEmpty());
}

TEST(ConflictFreedom, AForeignWriteInBetweenHidesNothing) {
  TraceBuilder p;
  p.fork(0, 9).block(0).fork(0, 1).write(0, "x").write(9, "x").write(1, "x");
  EXPECT_THAT(conflicts(p, {.filter = false}), ElementsAre(Conflict{"block", 3, 5}));
}

// ---- Figure 5: external serializability ----

TEST(ExternalSerializability, XsBegin) {  // program order from one block to the next
  TraceBuilder p;
  p.block(0, "a").write(0, "x").end(0).block(0, "b").write(0, "y").end(0);
  p.block(1, "c").read(1, "y").read(1, "x").end(1);
  EXPECT_THAT(blamed(p), IsEmpty());
  TraceBuilder cycle;  // c sees y of the later block b, but not x of a, which came before it
  cycle.block(1, "c").read(1, "x").block(0, "a").write(0, "x").end(0).block(0, "b");
  cycle.write(0, "y").end(0).read(1, "y").end(1);
  EXPECT_THAT(blamed(cycle), ElementsAre("c"));
}

TEST(ExternalSerializability, XsEnd) {  // what follows the block is not in it
  TraceBuilder p;
  p.block(0).write(0, "x").end(0).read(1, "x").write(1, "y").read(0, "y");
  EXPECT_THAT(blamed(p), IsEmpty());
}

TEST(ExternalSerializability, XsAcquireXsRelease) {
  TraceBuilder p;
  p.block(0).acquire(0, "m").release(0, "m").acquire(1, "m").release(1, "m").acquire(0, "m");
  EXPECT_THAT(blamed(p), ElementsAre("block"));
  EXPECT_THAT(conflicts(p), IsEmpty());  // the other acquire is outside
}

TEST(ExternalSerializability, XsRead) {
  TraceBuilder p;
  p.block(0).write(0, "x").read(1, "x").write(1, "y").read(0, "y");
  EXPECT_THAT(blamed(p), ElementsAre("block"));
}

TEST(ExternalSerializability, XsWrite) {
  TraceBuilder after_read;
  after_read.block(0).read(0, "x").write(1, "x").read(0, "x");
  EXPECT_THAT(blamed(after_read), ElementsAre("block"));
  TraceBuilder after_write;
  after_write.block(0).write(0, "x").write(1, "x").write(0, "x");
  EXPECT_THAT(blamed(after_write), ElementsAre("block"));
}

TEST(ExternalSerializability, XsForkIn) {  // the forked thread is in the transaction
  TraceBuilder p;
  p.block(0).write(0, "x").fork(0, 1).read(1, "x").write(1, "x").join(0, 1).read(0, "x").end(0);
  EXPECT_THAT(blamed(p), IsEmpty());
  TraceBuilder crossed;
  crossed.block(0).fork(0, 1).write(1, "x").write(2, "x").read(0, "x");
  EXPECT_THAT(blamed(crossed), ElementsAre("block"));
}

TEST(ExternalSerializability,
     XsForkOut) {  // the forked thread comes after, in transactions of its own
  TraceBuilder p;
  p.block(0).write(0, "x").end(0).fork(0, 1).block(1, "child").read(1, "x").end(1);
  EXPECT_THAT(blamed(p), IsEmpty());
  TraceBuilder through_fork;
  through_fork.block(2, "reader").read(2, "x").write(0, "x").fork(0, 1).write(1, "y");
  through_fork.read(2, "y").end(2);
  EXPECT_THAT(blamed(through_fork), ElementsAre("reader"));
}

TEST(ExternalSerializability, XsJoin) {
  TraceBuilder p;
  p.fork(9, 1).block(0).write(0, "x").read(1, "x").join(0, 1).end(0);
  EXPECT_THAT(blamed(p), ElementsAre("block"));
}

TEST(ExternalSerializability,
     XsStop) {  // a child that waits for the end of the thread that began it
  TraceBuilder p;
  p.fork(9, 0).block(0).fork(0, 1).end(0).thread_end(0).join(1, 0);
  EXPECT_THAT(blamed(p), ElementsAre("block"));
}

TEST(ExternalSerializability, XsOutside) {  // each operation outside is a transaction of its own
  TraceBuilder p;
  p.block(0).write(0, "x").read(1, "x").end(0).read(1, "y").block(0, "next").write(0, "y");
  EXPECT_THAT(blamed(p), IsEmpty());
}

TEST(ExternalSerializability, BlamesTheBlockThatWasInterrupted) {
  TraceBuilder p;
  p.block(0, "interrupted").read(0, "x").block(1, "quick").read(1, "x").write(1, "x").end(1);
  p.write(0, "x").end(0);
  const std::vector<Finding> findings = run(p);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_THAT(blamed(p), ElementsAre("interrupted"));
  ASSERT_EQ(findings[0].transactions.size(), 2u);
  EXPECT_TRUE(findings[0].transactions[0].blamed != findings[0].transactions[1].blamed);
  EXPECT_EQ(findings[0].edges.size(), 2u);
}

// ---- synchronization beyond the paper's figures ----

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

// ---- blocks ----

TEST(Blocks, QuicksortOfFigure1) {
  TraceBuilder p;
  p.block(0, "quicksort").acquire(0, "a.lock").read(0, "a+0:16").write(0, "a+0:16").fork(0, 1);
  p.fork(0, 2).read(1, "a+0:8").write(1, "a+0:8").read(2, "a+8:8").write(2, "a+8:8");
  p.join(0, 1).join(0, 2).release(0, "a.lock").end(0);
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(Blocks, DeterministicTasksInANondeterministicPool) {  // Figure 2(b)
  TraceBuilder p;
  p.fork(0, 1).fork(0, 2);
  for (const int worker : {1, 2, 1}) {
    p.acquire(worker, "queue").read(worker, "head").write(worker, "head").release(worker, "queue");
    p.block(worker, "task").fork(worker, 10 + worker * 3 + (worker == 1));
    p.write(worker, "r" + std::to_string(worker)).end(worker);
  }
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(Blocks, AViolationIsToldForEveryBlockAroundIt) {
  TraceBuilder p;
  p.block(0, "outer").block(0, "inner").fork(0, 1).write(0, "x").write(1, "x");
  EXPECT_THAT(conflicts(p), UnorderedElementsAre(Conflict{"inner", 3, 4}, Conflict{"outer", 3, 4}));
}

TEST(Blocks, AConflictOfTheOuterBlockAlone) {
  TraceBuilder p;
  p.block(0, "outer").fork(0, 1).block(0, "inner").write(0, "x").end(0).write(1, "x");
  EXPECT_THAT(conflicts(p), ElementsAre(Conflict{"outer", 3, 5}));
}

TEST(Blocks, AnInnerBlockIsJudgedForItself) {  // another thread of the outer block steps in
  TraceBuilder p;
  p.block(0, "outer").fork(0, 1).block(0, "inner").read(0, "x").write(1, "x").write(0, "x");
  EXPECT_THAT(blamed(p), ElementsAre("inner"));
}

TEST(Blocks, AtomicRegionsAreNoBlocks) {
  TraceBuilder p;
  p.begin(0, "atomic").fork(0, 1).write(0, "x").write(1, "x").end(0);
  EXPECT_THAT(run(p), IsEmpty());
}

// ---- bytes, memory, filter, findings ----

TEST(Locations, OnlySharedBytesConflict) {
  TraceBuilder p;
  p.block(0).fork(0, 1).write(0, "x+0:4").write(1, "x+4:4");
  EXPECT_THAT(run(p), IsEmpty());
  TraceBuilder overlap;
  overlap.block(0).fork(0, 1).write(0, "x+0:4").write(1, "x+3:4");
  const std::vector<Finding> findings = run(overlap);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].steps.at(1).address, overlap.address_of("x") + 3);
  EXPECT_EQ(findings[0].steps.at(1).size, 1u);
}

TEST(Locations, FreedMemoryIsNew) {
  TraceBuilder p;
  p.block(0).fork(0, 1).write(0, "x").free(0, "x").allocate(1, "x").write(1, "x");
  EXPECT_THAT(run(p), IsEmpty());
}

TEST(Filter, AnAccessBeforeTheRaceIsRemembered) {  // the edge from the first block is made late
  TraceBuilder p;
  p.block(0, "first").read(0, "x").write(1, "x").write(1, "y").read(0, "y");
  EXPECT_THAT(blamed(p, {.filter = true}), ElementsAre("first"));
  EXPECT_THAT(blamed(p, {.filter = false}), ElementsAre("first"));
}

TEST(Filter, RaceFreeAccessesAreNotChecked) {
  TraceBuilder p;
  p.block(0).write(0, "x").fork(0, 1).read(1, "x").join(0, 1).write(0, "x").end(0);
  FindingSink sink;
  SingleTrack analysis(sink);
  feed(analysis, p.trace().events, 0);
  std::map<std::string, std::uint64_t> stats;
  for (const Stat& stat : analysis.stats()) stats[stat.name] = stat.value;
  EXPECT_EQ(stats.at("accesses_checked"), 0u);
  EXPECT_EQ(stats.at("accesses_filtered"), 3u);
}

TEST(Findings, AConflictNamesBlockThreadsAndWhatMayDiffer) {
  TraceBuilder p;
  p.block(0, "sum").fork(0, 1).write(0, "x").write(1, "x");
  const std::vector<Finding> findings = run(p);
  ASSERT_EQ(findings.size(), 1u);
  const Finding& finding = findings[0];
  EXPECT_EQ(finding.transactions.at(0).begin.ordinal, 0u);
  EXPECT_EQ(finding.transactions.at(0).thread, ThreadId{0});
  EXPECT_EQ(finding.transactions.at(1).thread, ThreadId{1});
  EXPECT_EQ(finding.steps.at(1).operation, Kind::kWrite);
  EXPECT_THAT(finding.message, testing::HasSubstr("the other write may be the one that stays"));
}

TEST(Findings, ARepeatedConflictIsCounted) {
  FindingSink sink;
  SingleTrack analysis(sink);
  TraceBuilder p;
  p.block(0).fork(0, 1).write(0, "x").write(1, "x").write(0, "x");
  std::vector<Event> events = p.trace().events;
  for (Event& e : events) e.site = SiteId{1};
  feed(analysis, events, 0);
  ASSERT_EQ(sink.findings().size(), 1u);
  EXPECT_EQ(sink.findings()[0].times, 2u);
}

}  // namespace
}  // namespace isosan
