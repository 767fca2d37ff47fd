#include "base/vector_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace isosan {
namespace {

VectorClock clock_of(std::initializer_list<std::uint64_t> times) {
  VectorClock clock;
  std::uint32_t thread = 0;
  for (const std::uint64_t time : times) {
    if (time > 0) clock.join(Epoch(thread, time));
    ++thread;
  }
  return clock;
}

TEST(Epoch, KeepsThreadAndTime) {
  const Epoch epoch(1023, Epoch::kMaxTime);
  EXPECT_EQ(epoch.thread(), 1023u);
  EXPECT_EQ(epoch.time(), Epoch::kMaxTime);
  EXPECT_NE(epoch, Epoch(1024, Epoch::kMaxTime));
}

TEST(VectorClock, TheEmptyEpochIsBeforeEverything) {
  EXPECT_TRUE(VectorClock{}.covers(Epoch{}));
  EXPECT_FALSE(VectorClock{}.covers(Epoch(0, 1)));
}

TEST(VectorClock, CoversPointWise) {
  EXPECT_TRUE(clock_of({3, 1}).covers(clock_of({2, 1})));
  EXPECT_FALSE(clock_of({3, 1}).covers(clock_of({2, 2})));
  EXPECT_FALSE(clock_of({3}).covers(clock_of({0, 0, 1})));
  EXPECT_TRUE(clock_of({3, 0, 4}).covers(clock_of({3})));
}

TEST(VectorClock, EntriesThatAreZeroNeedNoRoom) {
  VectorClock longer = clock_of({1, 1});
  VectorClock cleared = clock_of({0, 0, 0, 1});
  cleared.clear();
  cleared.join(Epoch(3, 0));
  EXPECT_TRUE(longer.covers(cleared));
}

TEST(VectorClock, JoinIsTheLeastUpperBound) {
  VectorClock joined = clock_of({3, 1});
  joined.join(clock_of({1, 2, 5}));
  EXPECT_EQ(joined[0], 3u);
  EXPECT_EQ(joined[1], 2u);
  EXPECT_EQ(joined[2], 5u);
  EXPECT_EQ(joined[9], 0u);
}

TEST(VectorClock, TickStepsOneThread) {
  VectorClock clock;
  clock.tick(2);
  clock.tick(2);
  EXPECT_EQ(clock.epoch_of(2), Epoch(2, 2));
  EXPECT_EQ(clock[1], 0u);
}

// Clocks that copy, join and tick at random, each beside a map that says what it must hold.
TEST(VectorClock, ClocksOfManyThreadsShareNoWrites) {
  constexpr std::uint32_t kThreads = 200;
  std::mt19937 random(1);
  std::vector<VectorClock> clocks(12);
  std::vector<std::map<std::uint32_t, std::uint64_t>> expected(clocks.size());
  for (int step = 0; step < 20000; ++step) {
    const std::size_t a = random() % clocks.size(), b = random() % clocks.size();
    const auto thread = static_cast<std::uint32_t>(random() % kThreads);
    const auto time = static_cast<std::uint64_t>(step);
    switch (random() % 8) {
      case 0:
        clocks[a] = clocks[b];
        expected[a] = expected[b];
        break;
      case 1:
      case 2:
        clocks[a].join(clocks[b]);
        for (const auto& [t, known] : expected[b]) expected[a][t] = std::max(expected[a][t], known);
        break;
      case 3:
        clocks[a].join(Epoch(thread, time));
        expected[a][thread] = std::max(expected[a][thread], time);
        break;
      case 4:
        if (step % 50 == 0) {
          clocks[a].clear();
          expected[a].clear();
        }
        break;
      default:
        clocks[a].tick(thread);
        ++expected[a][thread];
    }
    for (std::uint32_t t = 0; t < kThreads; ++t) ASSERT_EQ(clocks[a][t], expected[a][t]) << step;
    const bool covers = std::ranges::all_of(
        expected[b], [&](const auto& entry) { return expected[a][entry.first] >= entry.second; });
    ASSERT_EQ(clocks[a].covers(clocks[b]), covers) << step;
  }
}

}  // namespace
}  // namespace isosan
