#include "base/vector_clock.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace isosan
