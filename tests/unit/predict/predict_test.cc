// The paper's examples and the five patterns, one by one; what keeps a pattern from happening; and
// what the schedules look like.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "oracle/trace_builder.h"
#include "predict/context_switches.h"
#include "predict/observed_run.h"
#include "predict/predictor.h"

namespace isosan::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Prediction> predicted(const Trace& trace, PredictLimits limits = {}) {
  Predictor predictor(trace.tables, {.reversals = false, .pairs = false});
  predictor.feed(trace.events);
  return predictor.predictions(limits);
}

std::vector<std::string> patterns(const Trace& trace) {
  std::vector<std::string> names;
  for (const Prediction& p : predicted(trace)) names.emplace_back(name_of(p.pattern));
  return names;
}

// "1:3 0:2 ...": the schedule of the only prediction, threads by number.
std::string only_schedule(const Trace& trace) {
  Predictor predictor(trace.tables, {.reversals = false, .pairs = false});
  predictor.feed(trace.events);
  const std::vector<Prediction> all = predictor.predictions({});
  if (all.size() != 1) return std::to_string(all.size()) + " predictions";
  std::string text;
  for (const ScheduleStep& step : predictor.schedule(all[0]).steps) {
    text += (text.empty() ? "" : " ") + step.thread + ":" + std::to_string(step.until);
  }
  return text;
}

// Thread 1 works on x first, thread 2 later: no pattern is in the observed run.
Trace in_turn(const std::string& first, const std::string& second) {
  return parse_trace(first + second);
}

TEST(PredictPatterns, ReadWriteRead) {
  EXPECT_THAT(patterns(parse_trace("T1|r(x)\nT1|r(x)\nT2|w(x)\n")), ElementsAre("RWR"));
}
TEST(PredictPatterns, ReadWriteWrite) {
  EXPECT_THAT(patterns(parse_trace("T1|r(x)\nT1|w(x)\nT2|w(x)\n")), ElementsAre("RWW"));
}
TEST(PredictPatterns, WriteWriteRead) {
  EXPECT_THAT(patterns(parse_trace("T1|w(x)\nT1|r(x)\nT2|w(x)\n")), ElementsAre("WWR"));
}
TEST(PredictPatterns, WriteReadWrite) {
  EXPECT_THAT(patterns(parse_trace("T1|w(x)\nT1|w(x)\nT2|r(x)\n")), ElementsAre("WRW"));
}
TEST(PredictPatterns, WriteWriteWrite) {
  EXPECT_THAT(patterns(parse_trace("T1|w(x)\nT1|w(x)\nT2|w(x)\n")), ElementsAre("WWW"));
}
TEST(PredictPatterns, ReadsAloneAndReadBetweenReadAndWriteAreNone) {
  EXPECT_THAT(patterns(parse_trace("T1|r(x)\nT1|r(x)\nT2|r(x)\n")), IsEmpty());
  EXPECT_THAT(patterns(parse_trace("T1|r(x)\nT1|w(x)\nT2|r(x)\n")), IsEmpty());
  EXPECT_THAT(patterns(parse_trace("T1|w(x)\nT1|r(x)\nT2|r(x)\n")), IsEmpty());
}
TEST(PredictPatterns, ReaderBetweenTwoWritesWithAReadBetweenThem) {
  EXPECT_THAT(patterns(parse_trace("T1|w(x)\nT1|r(x)\nT1|w(x)\nT2|r(x)\n")), ElementsAre("WRW"));
}
TEST(PredictPatterns, AtomicOperationsAreAccesses) {
  EXPECT_THAT(
      patterns(parse_trace("T1|aload.acquire(x)\nT1|astore.release(x)\nT2|armw.acq_rel(x)\n")),
      ElementsAre("RWW"));
}
TEST(PredictPatterns, OnlyCommonBytesCount) {
  EXPECT_THAT(patterns(parse_trace("T1|r(x+0:4)\nT1|w(x+0:4)\nT2|w(x+4:4)\n")), IsEmpty());
  const auto all = predicted(parse_trace("T1|r(x+0:8)\nT1|w(x+2:6)\nT2|w(x+0:4)\n"));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].address % 8, 2u);
  EXPECT_EQ(all[0].size, 2u);
}
TEST(PredictPatterns, MemoryThatIsUsedAnewIsAnotherLocation) {
  EXPECT_THAT(patterns(parse_trace("T1|r(x)\nT1|w(x)\nT1|free(x)\nT2|alloc(x)\nT2|w(x)\n")),
              IsEmpty());
}

// "T1 r x 1": thread, operation, location, place. Only what is in one iteration counts: neither
// threads nor anything else are regions.
std::vector<std::string> in_loops(const std::vector<std::string>& lines) {
  std::string text;
  std::vector<SiteId> places;
  for (const std::string& line : lines) {
    text += line.substr(0, 2) + "|" + line[3] + "(" + line[5] + ")\n";
    places.push_back(SiteId{static_cast<std::uint32_t>(line[7] - '0')});
  }
  Trace trace = parse_trace(text);
  std::size_t next = 0;
  for (Event& event : trace.events) {
    if (is_operation(event.kind)) event.site = places.at(next++);
  }
  Predictor predictor(trace.tables,
                      {.threads_are_regions = false, .reversals = false, .loops = true});
  predictor.feed(trace.events);
  std::vector<std::string> found;
  for (const Prediction& p : predictor.predictions({})) {
    found.push_back(std::string(name_of(p.pattern)) + " " + std::to_string(p.operations[0].index) +
                    "-" + std::to_string(p.operations[2].index));
  }
  return found;
}

TEST(PredictLoops, AnIterationIsARegion) {
  // The update of each iteration, not from one to the next.
  EXPECT_THAT(in_loops({"T1 r x 1", "T1 w x 2", "T1 r x 1", "T1 w x 2", "T2 w x 9"}),
              ElementsAre("RWW 0-1"));
  EXPECT_THAT(in_loops({"T1 w x 2", "T1 r x 1", "T1 w x 2", "T2 w x 9"}), ElementsAre("WWR 0-1"));
  EXPECT_THAT(in_loops({"T1 r x 1", "T1 w x 2", "T2 w x 9"}), IsEmpty());  // no loop
}
TEST(PredictLoops, WhatStandsBeforeTheLoopIsNotInIt) {
  EXPECT_THAT(in_loops({"T1 r x 1", "T1 w y 2", "T1 w x 3", "T1 w y 2", "T2 w x 9"}), IsEmpty());
}
TEST(PredictLoops, LoopsNest) {
  // y is touched before and behind the inner loop over x, in each outer iteration.
  std::vector<std::string> outer = {"T1 r y 1", "T1 r x 2", "T1 r x 2", "T1 w y 3"};
  outer.insert(outer.end(), {"T1 r y 1", "T1 r x 2", "T1 r x 2", "T1 w y 3"});
  std::vector<std::string> inner = outer;
  outer.push_back("T2 w y 9");
  inner.push_back("T2 w x 9");
  EXPECT_THAT(in_loops(outer), ElementsAre("RWW 0-3"));
  EXPECT_THAT(in_loops(inner), ElementsAre("RWR 1-2"));  // two inner iterations of one outer one
}

std::vector<Prediction> reversals(const Trace& trace) {
  Predictor predictor(trace.tables);
  predictor.feed(trace.events);
  return predictor.predictions({});
}

// Both threads check, the first acts, so the second does not: no pattern, but its check can be
// stale.
TEST(PredictReversals, ACheckBeforeTheWriteThatItSaw) {
  const Trace trace = parse_trace(
      "T1|acq(m)\nT1|r(x)\nT1|rel(m)\nT1|acq(m)\nT1|w(x)\nT1|rel(m)\n"
      "T2|acq(m)\nT2|r(x)\nT2|rel(m)\n");
  EXPECT_THAT(patterns(trace), IsEmpty());
  const auto all = reversals(trace);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].pattern, Pattern::kRw);
  EXPECT_THAT(all[0].cut, ElementsAre(testing::Field(&CutPoint::until, 3u),
                                      testing::Field(&CutPoint::until, 5u)));
}
TEST(PredictReversals, AWriteBeforeTheReadThatMissedIt) {
  const auto all = reversals(parse_trace("T1|r(x)\nT2|w(x)\n"));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].pattern, Pattern::kWr);
}
TEST(PredictReversals, OrderThatMustBeIsNotReversed) {
  EXPECT_THAT(reversals(parse_trace("T0|w(x)\nT0|fork(T1)\nT1|r(x)\nT0|join(T1)\nT0|w(x)\n")),
              IsEmpty());
}

TEST(PredictRegions, BothAccessesAreOfOneRegion) {
  const Trace apart =
      parse_trace("T1|begin(f)\nT1|r(x)\nT1|end(f)\nT1|begin(f)\nT1|w(x)\nT1|end(f)\nT2|w(x)\n");
  Predictor predictor(apart.tables, {.threads_are_regions = false, .reversals = false});
  predictor.feed(apart.events);
  EXPECT_THAT(predictor.predictions({}), IsEmpty());
  EXPECT_EQ(predicted(apart).size(), 1u);  // the thread is a region, too
}
TEST(PredictRegions, TheInnermostCommonRegionIsTold) {
  const Trace trace = parse_trace(
      "T1|begin(outer)\nT1|begin(inner)\nT1|r(x)\nT1|end(inner)\nT1|w(x)\nT1|end(outer)\nT2|w(x)"
      "\n");
  const auto all = predicted(trace);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(trace.tables.regions[index(all[0].region)].name, "outer");
}

// Figure 1: the size of the source is read under its lock, then again.
TEST(PredictExamples, VectorAddAll) {
  const Trace trace = parse_trace(
      "T1|acq(destination)\n"
      "T1|acq(source)\nT1|r(size)\nT1|rel(source)\n"
      "T1|acq(source)\nT1|r(size)\nT1|rel(source)\n"
      "T1|rel(destination)\n"
      "T2|acq(source)\nT2|w(size)\nT2|rel(source)\n");
  const auto all = predicted(trace);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].pattern, Pattern::kRwr);
  EXPECT_EQ(all[0].cut[0].until, 4u);  // behind the first release of the source's lock
  EXPECT_FALSE(all[0].in_observed_run);
  EXPECT_EQ(only_schedule(trace), "1:4 2:2");
}

// Section 3.2: histories {l1: l2} at e and {l2: l1} at f are not compatible.
TEST(PredictExamples, IncompatibleAcquisitionHistories) {
  const std::string t1 = "T1|acq(l1)\nT1|acq(l2)\nT1|rel(l2)\nT1|r(x)\nT1|r(x)\nT1|rel(l1)\n";
  const std::string t2 = "T2|acq(l2)\nT2|acq(l1)\nT2|rel(l1)\nT2|w(x)\nT2|rel(l2)\n";
  EXPECT_THAT(patterns(in_turn(t1, t2)), ElementsAre("deadlock"));
  // Compatible as soon as one of the histories is shorter; T1 goes first through l2.
  const std::string shorter = "T2|acq(l2)\nT2|w(x)\nT2|rel(l2)\n";
  EXPECT_EQ(only_schedule(in_turn(shorter, t1)), "1:4 2:2");
}

TEST(PredictLocks, ACommonLockAroundTheRegionExcludesThePattern) {
  EXPECT_THAT(patterns(parse_trace("T1|acq(m)\nT1|r(x)\nT1|w(x)\nT1|rel(m)\n"
                                   "T2|acq(m)\nT2|w(x)\nT2|rel(m)\n")),
              IsEmpty());
}
TEST(PredictLocks, ReentrantAcquiresAreNoNewOnes) {
  EXPECT_THAT(patterns(parse_trace("T1|acq(m)\nT1|acq(m)\nT1|r(x)\nT1|rel(m)\nT1|w(x)\nT1|rel(m)\n"
                                   "T2|acq(m)\nT2|w(x)\nT2|rel(m)\n")),
              IsEmpty());
}
TEST(PredictLocks, TwoReadersOfALockDoNotExcludeEachOther) {
  const std::string second = "T2|acq.shared(m)\nT2|w(x)\nT2|rel.shared(m)\n";
  EXPECT_THAT(patterns(in_turn("T1|acq.shared(m)\nT1|r(x)\nT1|w(x)\nT1|rel.shared(m)\n", second)),
              ElementsAre("RWW"));
  EXPECT_THAT(patterns(in_turn("T1|acq(m)\nT1|r(x)\nT1|w(x)\nT1|rel(m)\n", second)), IsEmpty());
}
TEST(PredictLocks, HandOverHandLocksAreDecidedExactly) {
  // T2 is inside b when it writes: T1 holds a, which T2 has left, or nothing but c.
  const std::string t1 =
      "T1|acq(a)\nT1|r(x)\nT1|acq(b)\nT1|rel(a)\nT1|acq(c)\nT1|rel(b)\nT1|r(x)\nT1|rel(c)\n";
  const std::string t2 = "T2|acq(a)\nT2|acq(b)\nT2|rel(a)\nT2|w(x)\nT2|rel(b)\n";
  const auto all = predicted(in_turn(t1, t2));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].cut[0].until, 2u);
  EXPECT_EQ(all[1].cut[0].until, 6u);
}

TEST(PredictOrder, ForkAndJoinLeaveNothingToPredict) {
  EXPECT_THAT(patterns(parse_trace("T0|r(x)\nT0|w(x)\nT0|fork(T1)\nT1|w(x)\nT0|join(T1)\n")),
              IsEmpty());
  // Between fork and join the child may come any time: here it must come before e2.
  EXPECT_EQ(only_schedule(parse_trace("T0|r(x)\nT0|fork(T1)\nT0|w(x)\nT1|w(x)\nT0|join(T1)\n")),
            "0:2 1:1");
  // A region that waits for its child: it is so in every schedule.
  EXPECT_THAT(patterns(parse_trace("T0|r(x)\nT0|fork(T1)\nT1|w(x)\nT0|join(T1)\nT0|w(x)\n")),
              IsEmpty());
}
TEST(PredictOrder, BarriersSeparatePhases) {
  EXPECT_THAT(patterns(parse_trace("T1|r(x)\nT1|w(x)\nT1|arrive(b@0)\nT2|arrive(b@0)\n"
                                   "T1|depart(b@0)\nT2|depart(b@0)\nT2|w(x)\n")),
              IsEmpty());
}
TEST(PredictOrder, ASemaphoreWaitComesAfterItsPost) {
  EXPECT_THAT(patterns(parse_trace("T1|r(x)\nT1|w(x)\nT1|post(s)\nT2|take(s)\nT2|w(x)\n")),
              IsEmpty());
  EXPECT_THAT(patterns(parse_trace("T2|take(s)\nT1|r(x)\nT1|w(x)\nT1|post(s)\nT2|w(x)\n")),
              ElementsAre("RWW"));
}
TEST(PredictOrder, ThreadsThatHaveToHelpAreBroughtAlong) {
  // T2 writes only after T0's post, which the observed run shows behind T1's region.
  const std::string schedule =
      only_schedule(parse_trace("T1|r(x)\nT1|w(x)\nT0|w(y)\nT0|post(s)\nT2|take(s)\nT2|w(x)\n"));
  EXPECT_EQ(schedule, "1:1 0:2 2:2");
}

TEST(PredictDeadlocks, InversionOfTwoLocks) {
  const Trace trace = parse_trace(
      "T1|acq(a)\nT1|acq(b)\nT1|rel(b)\nT1|rel(a)\n"
      "T2|acq(b)\nT2|acq(a)\nT2|rel(a)\nT2|rel(b)\n");
  const auto all = predicted(trace);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].pattern, Pattern::kDeadlock);
  EXPECT_EQ(only_schedule(trace), "1:1 2:1");
}
TEST(PredictDeadlocks, AGateLockPreventsThem) {
  EXPECT_THAT(
      patterns(parse_trace("T1|acq(g)\nT1|acq(a)\nT1|acq(b)\nT1|rel(b)\nT1|rel(a)\nT1|rel(g)\n"
                           "T2|acq(g)\nT2|acq(b)\nT2|acq(a)\nT2|rel(a)\nT2|rel(b)\nT2|rel(g)\n")),
      IsEmpty());
}
TEST(PredictDeadlocks, ThreeThreadsInACircle) {
  EXPECT_THAT(patterns(parse_trace("T1|acq(a)\nT1|acq(b)\nT1|rel(b)\nT1|rel(a)\n"
                                   "T2|acq(b)\nT2|acq(c)\nT2|rel(c)\nT2|rel(b)\n"
                                   "T3|acq(c)\nT3|acq(a)\nT3|rel(a)\nT3|rel(c)\n")),
              ElementsAre("deadlock"));
}
TEST(PredictDeadlocks, JoinPreventsThem) {
  EXPECT_THAT(patterns(parse_trace("T0|fork(T1)\nT1|acq(a)\nT1|acq(b)\nT1|rel(b)\nT1|rel(a)\n"
                                   "T0|join(T1)\nT0|acq(b)\nT0|acq(a)\nT0|rel(a)\nT0|rel(b)\n")),
              IsEmpty());
}

TEST(PredictRanking, WhatTheRunHasShownComesLast) {
  const Trace trace = parse_trace("T1|r(x)\nT2|w(x)\nT1|w(x)\nT1|r(y)\nT1|w(y)\nT2|w(y)\n");
  const auto all = predicted(trace);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_FALSE(all[0].in_observed_run);
  EXPECT_TRUE(all[1].in_observed_run);
}
TEST(PredictRanking, LimitsAreKept) {
  const Trace trace = parse_trace("T1|r(x)\nT1|w(x)\nT2|w(x)\nT1|r(y)\nT1|w(y)\nT2|w(y)\n");
  EXPECT_EQ(predicted(trace).size(), 2u);
  EXPECT_EQ(predicted(trace, {.predictions = 1}).size(), 1u);
}

TEST(PredictSwitches, LocalAccessesAndReadsAreGathered) {
  const Trace trace = parse_trace(
      "T1|w(a)\nT2|w(b)\nT1|w(a)\nT2|r(x)\nT1|r(x)\nT2|w(b)\nT1|w(a)\n"
      "T2|w(x)\nT1|r(x)\nT2|w(b)\n");
  predict::ObservedRun run;
  for (const Event& event : trace.events) run.take(event);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> steps;
  for (const predict::Step& step : with_fewer_switches(run)) {
    steps.emplace_back(step.thread, step.until);
  }
  using Step = std::pair<std::uint32_t, std::uint32_t>;
  EXPECT_THAT(steps, ElementsAre(Step{1, 4}, Step{2, 4}, Step{1, 5}, Step{2, 5}));
}

}  // namespace
}  // namespace isosan::test
