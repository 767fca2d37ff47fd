// What the engines that show one dependence of a cycle have in common.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "analysis/aerodrome/aerodrome.h"
#include "analysis/atomsanitizer/atomsanitizer.h"
#include "analysis/velodrome/velodrome.h"
#include "oracle/exact_analysis.h"
#include "oracle/named_traces.h"

namespace isosan::test {
namespace {

template <class Engine>
class Engines : public testing::Test {};
using ExactEngines = testing::Types<Aerodrome, AtomSanitizer>;
TYPED_TEST_SUITE(Engines, ExactEngines);

TYPED_TEST(Engines, DecideTheNamedTraces) {
  for (const NamedTrace& named : named_traces()) {
    SCOPED_TRACE(named.name);
    const Trace trace = parse_trace(named.text);
    EXPECT_EQ(first_violation<TypeParam>(trace, true), named.violation);
    EXPECT_EQ(first_violation<TypeParam>(trace, false), named.violation_data_only);
  }
}

TYPED_TEST(Engines, ShowTheDependenceThatClosesTheCycle) {
  const Trace trace = parse_trace(
      "T0|begin(deposit)\nT0|r(x)\nT1|begin(other)\nT1|w(x)\nT1|end(other)\nT0|w(x)\nT0|end("
      "deposit)\n");
  const std::vector<Finding> findings = findings_of<TypeParam>(trace, true);
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

template <class Engine>
class Room : public testing::Test {};
using EnginesWithRoom = testing::Types<Velodrome, Aerodrome, AtomSanitizer>;
TYPED_TEST_SUITE(Room, EnginesWithRoom);

// One write of 5 MiB in a region, between two accesses of another thread's in the last MiB.
TYPED_TEST(Room, IsForOneOperationOnMoreMemoryThanIsKept) {
  TraceBuilder builder;
  builder.begin(1).read(1, "x").write(0, "x").write(1, "x").end(1);
  Trace trace = builder.trace();
  constexpr std::uint64_t kLast = 5u << 20;
  for (Event& event : trace.events) {
    if (!is_access(event.kind)) continue;
    if (index(event.thread) == 1) event.address += kLast - 8;
    if (index(event.thread) == 0) event.size = kLast;
  }
  const auto stats_of = [&](std::uint64_t most, std::size_t findings) {
    FindingSink sink;
    TypeParam analysis(sink, {.limits = {.most = most}});
    feed(analysis, std::span(trace.events), 0);
    EXPECT_EQ(sink.findings().size(), findings);
    return analysis.stats().back();
  };
  const Stat all = stats_of(kUnlimited, 1);
  EXPECT_EQ(all.name, "forgotten_bytes");
  EXPECT_EQ(all.value, 0u);
  EXPECT_GT(stats_of(1u << 20, 0).value, 0u);
}

TYPED_TEST(Engines, CountARepeatedViolationOnce) {
  TraceBuilder builder;
  for (int i = 0; i < 5; ++i) {
    builder.begin(0, "deposit").read(0, "x").write(1, "x").write(0, "x").end(0);
  }
  const std::vector<Finding> findings = findings_of<TypeParam>(builder.trace(), true);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().times, 5u);
}

TYPED_TEST(Engines, GrowWithTheThreads) {
  constexpr int kThreads = 300;
  TraceBuilder builder;
  for (int t = 0; t < kThreads; ++t) builder.begin(t, "chain").write(t, "x" + std::to_string(t));
  for (int t = 1; t < kThreads; ++t) builder.read(t, "x" + std::to_string(t - 1));
  EXPECT_EQ(first_violation<TypeParam>(builder.trace(), true), std::nullopt);
  builder.read(0, "x" + std::to_string(kThreads - 1));
  EXPECT_EQ(first_violation<TypeParam>(builder.trace(), true), builder.trace().events.size() - 1);
}

TYPED_TEST(Engines, ForgetSynchronizationObjectsThatNothingOpenReaches) {
  TraceBuilder builder;
  for (std::uint64_t generation = 0; generation < 5000; ++generation) {
    builder.begin(0).arrive(0, "b", generation).end(0).depart(1, "b", generation);
  }
  builder.begin(0).write(0, "x").write(1, "x").arrive(1, "b", 9999).depart(0, "b", 9999);
  EXPECT_EQ(first_violation<TypeParam>(builder.trace(), true), builder.trace().events.size() - 1);
}

// Random transactions of three threads over a small array, accesses one by one and in walks: taking
// the walks apart beforehand changes neither how many violations there are nor what is shown.
TYPED_TEST(Engines, DecideAWalkAsItsAccesses) {
  std::mt19937 random(7);
  std::uint64_t violations = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<Event> walks, apart;
    std::array<bool, 3> open{};
    for (int i = 0; i < 40; ++i) {
      Event e{.thread = static_cast<ThreadId>(random() % 3), .site = SiteId{1}};
      bool& inside = open[index(e.thread)];
      if (random() % 5 == 0) {
        inside = !inside;
        e.kind = inside ? Kind::kBegin : Kind::kEnd;
        e.size = 1;
        walks.push_back(e);
        apart.push_back(e);
        continue;
      }
      e.kind = random() % 2 == 0 ? Kind::kRead : Kind::kWrite;
      e.address = 4096 + random() % 64 * 4;
      WalkSteps steps{.size = random() % 2 == 0 ? 4u : 8u, .count = 1 + random() % 6};
      steps.stride = static_cast<std::uint64_t>(4 * (static_cast<std::int64_t>(random() % 9) - 4));
      if (!inside) steps.count = 1;
      Event walk = e;
      make_walk(walk, steps);
      walks.push_back(walk);
      e.size = steps.size;
      for (std::uint64_t k = 0; k < steps.count; ++k, e.address += steps.stride) apart.push_back(e);
    }
    Trace trace;
    trace.events = walks;
    const std::vector<Finding> whole = findings_of<TypeParam>(trace, true);
    trace.events = apart;
    const std::vector<Finding> single = findings_of<TypeParam>(trace, true);
    ASSERT_EQ(whole.size(), single.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      EXPECT_EQ(whole[i].times, single[i].times);
      EXPECT_EQ(whole[i].steps.at(1).address, single[i].steps.at(1).address);
      EXPECT_EQ(whole[i].steps.at(1).size, single[i].steps.at(1).size);
      violations += whole[i].times;
    }
  }
  EXPECT_GT(violations, 100u);
}

}  // namespace
}  // namespace isosan::test
