#include "analysis/aerodrome/aerodrome.h"

#include <gtest/gtest.h>

#include "oracle/exact_analysis.h"

namespace isosan::test {
namespace {

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
