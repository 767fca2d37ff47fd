#include "analysis/doublechecker/doublechecker.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/exact_analysis.h"
#include "oracle/named_traces.h"
#include "oracle/trace_builder.h"
#include "unit/doublechecker/second_run.h"

namespace isosan {
namespace {

struct Result {
  FindingSink sink;
  Suspects suspects;
  Stats stats;
};

Result run(const test::Trace& trace, DoubleCheckerOptions options = {}) {
  Result result;
  DoubleChecker analysis(result.sink, options);
  feed(analysis, std::span(trace.events), 0);
  analysis.finish();
  result.suspects = analysis.suspects();
  result.stats = analysis.stats();
  return result;
}

std::uint64_t stat(const Result& result, const std::string& name) {
  for (const Stat& s : result.stats) {
    if (s.name == name) return s.value;
  }
  ADD_FAILURE() << "no stat " << name;
  return 0;
}

class NamedTraces : public testing::TestWithParam<test::NamedTrace> {};

TEST_P(NamedTraces, GivesTheKnownVerdict) {
  const test::Trace trace = test::parse_trace(GetParam().text);
  EXPECT_EQ(!run(trace).sink.findings().empty(), GetParam().violation.has_value());
  EXPECT_EQ(!run(trace, {.sync_edges = false}).sink.findings().empty(),
            GetParam().violation_data_only.has_value());
}

TEST_P(NamedTraces, SecondRunOnTheSameTraceFindsTheSame) {
  const test::Trace trace = test::parse_trace(GetParam().text);
  const Suspects suspects = run(trace, {.log_accesses = false}).suspects;
  EXPECT_EQ(!run(test::second_run_of(trace, suspects)).sink.findings().empty(),
            GetParam().violation.has_value());
}

INSTANTIATE_TEST_SUITE_P(DoubleChecker, NamedTraces,
                         testing::ValuesIn(test::named_traces().begin(),
                                           test::named_traces().end()));

// Two threads, two fields of one granule: Octet sees one object, so the imprecise analysis has a
// cycle that the bytes do not.
constexpr std::string_view kImpreciseOnly =
    "T0|begin(a)\nT0|w(o+0:4)\nT1|begin(b)\nT1|w(o+4:4)\nT1|end\nT0|w(o+0:4)\nT0|end\n";

TEST(DoubleChecker, AnImpreciseCycleAloneIsNoFinding) {
  const Result result = run(test::parse_trace(kImpreciseOnly));
  EXPECT_TRUE(result.sink.findings().empty());
  EXPECT_EQ(stat(result, "sccs"), 1u);
  EXPECT_GT(stat(result, "pcd_events"), 0u);
}

// The first transaction of T0 stays alive by the open one of T1; the others go on in its node. The
// last one does what the one before it did, and is not the same: T2 stepped in.
constexpr std::string_view kNoRepetition =
    "T1|begin(p)\nT1|w(z)\nT0|begin(a)\nT0|r(z)\nT0|end\n"
    "T0|begin(b)\nT0|r(y)\nT0|r(x)\nT0|end\n"
    "T0|begin(b)\nT0|r(y)\nT2|begin(c)\nT2|w(y)\nT2|w(x)\nT2|end\nT0|r(x)\nT0|end\nT1|end\n";

TEST(DoubleChecker, InACrowdARepetitionWithSomebodyInBetweenIsKept) {
  EXPECT_EQ(run(test::parse_trace(kNoRepetition), {.merge_above = 0}).sink.findings().size(), 1u);
}

// The join comes after T0's last event, which begins a region of another kind.
TEST(DoubleChecker, AnEdgeOfAnotherKindOfRegionCanBeWhatAJoinComesAfter) {
  const Result result = run(
      test::parse_trace("T0|begin(a)\nT0|begin.unit(u)\nT1|join(T0)\nT1|w(x)\nT0|r(x)\nT0|end\n"));
  ASSERT_EQ(result.sink.findings().size(), 1u);
  const Finding& finding = result.sink.findings()[0];
  EXPECT_TRUE(std::ranges::any_of(finding.edges, [&](const FindingEdge& edge) {
    return finding.steps[edge.from].where.ordinal == 1 && finding.steps[edge.to].where.ordinal == 2;
  }));
}

TEST(DoubleChecker, TheFirstRunLogsNothingAndNamesSuspects) {
  const Result result = run(test::parse_trace(kImpreciseOnly), {.log_accesses = false});
  EXPECT_EQ(stat(result, "logged_events"), 0u);
  EXPECT_EQ(result.suspects.regions.size(), 2u);
  EXPECT_FALSE(result.suspects.unary);
}

TEST(DoubleChecker, TheSecondRunLooksAtSuspectsOnly) {
  const Result result = run(test::second_run_of(test::parse_trace(kImpreciseOnly), Suspects{}));
  EXPECT_EQ(stat(result, "regular_accesses"), 0u);
  EXPECT_TRUE(result.sink.findings().empty());
}

TEST(DoubleChecker, FinishedTransactionsThatNothingPointsToAreDropped) {
  test::TraceBuilder builder;
  for (int i = 0; i < 1000; ++i)
    builder.begin(i % 2).acquire(i % 2, "l").write(i % 2, "x").release(i % 2, "l").end(i % 2);
  const Result result = run(builder.trace());
  EXPECT_LE(stat(result, "max_live_nodes"), 4u);
  EXPECT_TRUE(result.sink.findings().empty());
}

}  // namespace
}  // namespace isosan
