#include "oracle/trace_builder.h"

#include <gtest/gtest.h>

namespace isosan::test {
namespace {

TEST(TraceBuilder, WorksOutDepthsRegionsAndBytes) {
  const Trace t = TraceBuilder()
                      .acquire(0, "l")
                      .acquire(0, "l")
                      .release(0, "l")
                      .release(0, "l")
                      .begin(1, "f")
                      .begin(1, "g", RegionKind::kUnit)
                      .end(1)
                      .end(1)
                      .read(0, "x+2:4")
                      .trace();
  EXPECT_EQ(t.events[0].depth, 0u);
  EXPECT_EQ(t.events[1].depth, 1u);
  EXPECT_EQ(t.events[2].depth, 1u);
  EXPECT_EQ(t.events[3].depth, 0u);
  EXPECT_EQ(t.tables.regions.at(t.events[6].size).name, "g");
  EXPECT_EQ(t.tables.regions.at(t.events[7].size).name, "f");
  EXPECT_EQ(t.events[6].detail, static_cast<std::uint8_t>(RegionKind::kUnit));
  EXPECT_EQ(t.events[8].size, 4u);
  EXPECT_EQ(t.events[8].address % 8, 2u);
  EXPECT_EQ(t.tables.sites.at(index(t.events[8].site)).line, 9u);
}

TEST(TraceText, ReadsPlainStd) {
  const Trace t = parse_trace("T0|begin|1\nT0|r(x)|2\nT1|acq(l)\nT0|fork(T2)|4\nT0|end|5\n");
  ASSERT_EQ(t.events.size(), 5u);
  EXPECT_EQ(t.events[0].kind, Kind::kBegin);
  EXPECT_EQ(t.events[1].size, 8u);
  EXPECT_EQ(t.events[2].thread, ThreadId{1});
  EXPECT_EQ(t.events[3].address, 2u);
}

TEST(TraceText, PrintsEveryKindSoThatItReadsBack) {
  TraceBuilder b;
  b.begin(0, "f").read(0, "x").write(0, "x+4:4").load(0, "a", MemoryOrder::kAcquire);
  b.store(1, "a").rmw(1, "a:4", MemoryOrder::kRelaxed).fence(1).acquire(1, "l", LockMode::kShared);
  b.release(1, "l", LockMode::kShared).fork(1, 2).join(1, 2).thread_start(2).thread_end(2);
  b.wait_begin(0, "c").wait_end(0, "c", WaitOutcome::kTimedOut).notify(1, "c", NotifyScope::kAll);
  b.arrive(0, "b", 3).depart(0, "b", 3).allocate(0, "x", MemoryOrigin::kStack).free(0, "x:16");
  for (Kind kind : {Kind::kSemaphorePost, Kind::kSemaphoreWait, Kind::kOnceDone, Kind::kOnceSeen,
                    Kind::kPublish, Kind::kObserve})
    b.sync(kind, 0, "s");
  b.end(0);
  const std::string text = print_trace(b.trace());
  const Trace again = parse_trace(text);
  EXPECT_EQ(print_trace(again), text);
  ASSERT_EQ(again.events.size(), b.trace().events.size());
  for (std::size_t i = 0; i < again.events.size(); ++i)
    EXPECT_EQ(again.events[i].kind, b.trace().events[i].kind) << i;
}

}  // namespace
}  // namespace isosan::test
