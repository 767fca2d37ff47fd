#include "analysis/aerodrome/aerodrome.h"

#include <gtest/gtest.h>

#include "oracle/exact_analysis.h"
#include "oracle/named_traces.h"

namespace isosan::test {
namespace {

class AerodromeTraces : public testing::TestWithParam<NamedTrace> {};

TEST_P(AerodromeTraces, AreDecided) {
  const Trace trace = parse_trace(GetParam().text);
  EXPECT_EQ(first_violation<Aerodrome>(trace, true), GetParam().violation);
  EXPECT_EQ(first_violation<Aerodrome>(trace, false), GetParam().violation_data_only);
}
INSTANTIATE_TEST_SUITE_P(Named, AerodromeTraces, testing::ValuesIn(named_traces()),
                         [](const auto& named) { return std::string(named.param.name); });

TEST(Aerodrome, ShowsTheDependenceThatClosesTheCycle) {
  const Trace trace = parse_trace(
      "T0|begin(deposit)\nT0|r(x)\nT1|begin(other)\nT1|w(x)\nT1|end(other)\nT0|w(x)\nT0|end("
      "deposit)\n");
  const std::vector<Finding> findings = findings_of<Aerodrome>(trace, true);
  ASSERT_EQ(findings.size(), 1u);
  const Finding& f = findings.front();
  EXPECT_EQ(f.kind, FindingKind::kAtomicityViolation);
  EXPECT_EQ(trace.tables.regions.at(index(f.region)).name, "deposit");
  ASSERT_EQ(f.transactions.size(), 2u);
  EXPECT_EQ(f.transactions[0].begin.ordinal, 0u);
  EXPECT_TRUE(f.transactions[0].blamed);
  EXPECT_FALSE(f.transactions[0].finished);
  EXPECT_EQ(trace.tables.regions.at(index(f.transactions[1].region)).name, "other");
  EXPECT_TRUE(f.transactions[1].finished);
  ASSERT_EQ(f.steps.size(), 2u);
  EXPECT_EQ(f.steps[0].where.ordinal, 3u);
  EXPECT_EQ(f.steps[0].where.site, trace.events[3].site);
  EXPECT_EQ(f.steps[0].operation, Kind::kWrite);
  EXPECT_EQ(f.steps[1].where.ordinal, 5u);
  EXPECT_EQ(f.steps[1].size, 8u);
  ASSERT_EQ(f.edges.size(), 1u);
  EXPECT_EQ(f.edges[0].reason, EdgeReason::kData);
}

TEST(Aerodrome, CountsARepeatedViolationOnce) {
  TraceBuilder builder;
  for (int i = 0; i < 5; ++i) {
    builder.begin(0, "deposit").read(0, "x").write(1, "x").write(0, "x").end(0);
  }
  const std::vector<Finding> findings = findings_of<Aerodrome>(builder.trace(), true);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().times, 5u);
}

TEST(Aerodrome, GrowsWithTheThreads) {
  constexpr int kThreads = 300;
  TraceBuilder builder;
  for (int t = 0; t < kThreads; ++t) builder.begin(t, "chain").write(t, "x" + std::to_string(t));
  for (int t = 1; t < kThreads; ++t) builder.read(t, "x" + std::to_string(t - 1));
  EXPECT_EQ(first_violation<Aerodrome>(builder.trace(), true), std::nullopt);
  builder.read(0, "x" + std::to_string(kThreads - 1));
  EXPECT_EQ(first_violation<Aerodrome>(builder.trace(), true), builder.trace().events.size() - 1);
}

TEST(Aerodrome, ForgetsSynchronizationObjectsThatNothingOpenReaches) {
  TraceBuilder builder;
  for (std::uint64_t generation = 0; generation < 5000; ++generation) {
    builder.begin(0).arrive(0, "b", generation).end(0).depart(1, "b", generation);
  }
  builder.begin(0).write(0, "x").write(1, "x").arrive(1, "b", 9999).depart(0, "b", 9999);
  EXPECT_EQ(first_violation<Aerodrome>(builder.trace(), true), builder.trace().events.size() - 1);
}

std::uint64_t stat_of(const Trace& trace, const std::string& name) {
  FindingSink sink;
  Aerodrome aerodrome(sink, {});
  feed(aerodrome, std::span(trace.events), 0);
  for (const Stat& stat : aerodrome.stats()) {
    if (stat.name == name) return stat.value;
  }
  ADD_FAILURE() << "no such counter: " << name;
  return 0;
}

TEST(Aerodrome, CollectsFinishedTransactionsThatNothingOpenReaches) {
  TraceBuilder builder;
  for (int i = 0; i < 100; ++i) {
    builder.begin(0).write(0, "x").end(0).begin(1).read(1, "x").write(1, "y").end(1);
  }
  EXPECT_EQ(stat_of(builder.trace(), "live_nodes"), 0u);
  EXPECT_EQ(stat_of(builder.trace(), "max_live_nodes"), 1u);
}

TEST(Aerodrome, KeepsOnlyWhatIsReferredToBehindALongTransaction) {
  TraceBuilder builder;
  builder.begin(0, "long").write(0, "x").read(1, "x");
  for (int i = 0; i < 1000; ++i) builder.begin(1).write(1, "y").end(1).begin(2).read(2, "y").end(2);
  EXPECT_LE(stat_of(builder.trace(), "max_live_nodes"), 7u);
  builder.end(0);
  EXPECT_EQ(stat_of(builder.trace(), "live_nodes"), 0u);
}

TEST(Aerodrome, ACascadeOfEndsCollectsAll) {
  constexpr int kThreads = 20;
  TraceBuilder builder;
  for (int t = 0; t < kThreads; ++t) builder.begin(t).write(t, "x" + std::to_string(t));
  for (int t = 1; t < kThreads; ++t) builder.read(t, "x" + std::to_string(t - 1));
  for (int t = kThreads - 1; t > 0; --t) builder.end(t);
  EXPECT_EQ(stat_of(builder.trace(), "live_nodes"), kThreads * 1u);
  builder.end(0);
  EXPECT_EQ(stat_of(builder.trace(), "live_nodes"), 0u);
}

}  // namespace
}  // namespace isosan::test
