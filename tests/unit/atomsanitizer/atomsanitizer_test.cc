#include "analysis/atomsanitizer/atomsanitizer.h"

#include <gtest/gtest.h>

#include "oracle/exact_analysis.h"
#include "oracle/named_traces.h"

namespace isosan::test {
namespace {

class AtomSanitizerTraces : public testing::TestWithParam<NamedTrace> {};

TEST_P(AtomSanitizerTraces, AreDecided) {
  const Trace trace = parse_trace(GetParam().text);
  EXPECT_EQ(first_violation<AtomSanitizer>(trace, true), GetParam().violation);
  EXPECT_EQ(first_violation<AtomSanitizer>(trace, false), GetParam().violation_data_only);
}
INSTANTIATE_TEST_SUITE_P(Named, AtomSanitizerTraces, testing::ValuesIn(named_traces()),
                         [](const auto& named) { return std::string(named.param.name); });

TEST(AtomSanitizer, ShowsTheDependenceThatClosesTheCycle) {
  const Trace trace = parse_trace(
      "T0|begin(deposit)\nT0|r(x)\nT1|begin(other)\nT1|w(x)\nT1|end(other)\nT0|w(x)\nT0|end("
      "deposit)\n");
  const std::vector<Finding> findings = findings_of<AtomSanitizer>(trace, true);
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

TEST(AtomSanitizer, CountsARepeatedViolationOnce) {
  TraceBuilder builder;
  for (int i = 0; i < 5; ++i) {
    builder.begin(0, "deposit").read(0, "x").write(1, "x").write(0, "x").end(0);
  }
  const std::vector<Finding> findings = findings_of<AtomSanitizer>(builder.trace(), true);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().times, 5u);
}

TEST(AtomSanitizer, GrowsWithTheThreads) {
  constexpr int kThreads = 300;
  TraceBuilder builder;
  for (int t = 0; t < kThreads; ++t) builder.begin(t, "chain").write(t, "x" + std::to_string(t));
  for (int t = 1; t < kThreads; ++t) builder.read(t, "x" + std::to_string(t - 1));
  EXPECT_EQ(first_violation<AtomSanitizer>(builder.trace(), true), std::nullopt);
  builder.read(0, "x" + std::to_string(kThreads - 1));
  EXPECT_EQ(first_violation<AtomSanitizer>(builder.trace(), true),
            builder.trace().events.size() - 1);
}

TEST(AtomSanitizer, ForgetsSynchronizationObjectsThatNothingOpenReaches) {
  TraceBuilder builder;
  for (std::uint64_t generation = 0; generation < 5000; ++generation) {
    builder.begin(0).arrive(0, "b", generation).end(0).depart(1, "b", generation);
  }
  builder.begin(0).write(0, "x").write(1, "x").arrive(1, "b", 9999).depart(0, "b", 9999);
  EXPECT_EQ(first_violation<AtomSanitizer>(builder.trace(), true),
            builder.trace().events.size() - 1);
}

}  // namespace
}  // namespace isosan::test
