#include "analysis/doublechecker/transaction_log.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

Event read_of(std::uint64_t address, std::uint64_t size) {
  Event e{};
  e.kind = Kind::kRead;
  e.address = address;
  e.size = size;
  e.site = SiteId{7};
  e.context = ContextId{9};
  return e;
}

void expect_round_trip(const WalkSteps& steps) {
  ASSERT_TRUE(icd::LogEntry::fits(steps));
  const icd::LogEntry entry = icd::LogEntry::of_walk(read_of(0x1000, steps.size), steps, 42);
  const Event e = entry.event(ThreadId{3});
  EXPECT_EQ(entry.ordinal(), 42u);
  EXPECT_EQ(e.address, 0x1000u);
  EXPECT_EQ(e.site, SiteId{7});
  EXPECT_EQ(e.context, ContextId{9});
  const WalkSteps back = steps_of(e);
  EXPECT_EQ(back.size, steps.size);
  EXPECT_EQ(back.count, steps.count);
  EXPECT_EQ(back.stride, steps.stride);
}

TEST(LogEntry, KeepsAWalkUpAndDown) {
  expect_round_trip({.size = 8, .count = 100, .stride = 16});
  expect_round_trip({.size = 4, .count = 3, .stride = static_cast<std::uint64_t>(-4)});
}

TEST(LogEntry, KeepsTheLongestWalk) {
  const std::uint64_t far = icd::LogEntry::kFarthestStep;
  expect_round_trip({.size = 8, .count = icd::LogEntry::kMostSteps, .stride = far - 1});
  expect_round_trip({.size = 8, .count = 2, .stride = std::uint64_t{0} - far});
}

TEST(LogEntry, RefusesAWalkThatIsTooLong) {
  const std::uint64_t far = icd::LogEntry::kFarthestStep;
  EXPECT_FALSE(
      icd::LogEntry::fits({.size = 8, .count = icd::LogEntry::kMostSteps + 1, .stride = 8}));
  EXPECT_FALSE(icd::LogEntry::fits({.size = 8, .count = 2, .stride = far}));
  EXPECT_FALSE(icd::LogEntry::fits({.size = 8, .count = 2, .stride = std::uint64_t{0} - far - 1}));
}

TEST(LogEntry, KeepsAnAccessThatIsNoWalk) {
  const Event e = icd::LogEntry::of(read_of(0x1000, 1 << 20), 5).event(ThreadId{3});
  EXPECT_EQ(e.kind, Kind::kRead);
  EXPECT_EQ(e.size, 1u << 20);
}

class Repetitions : public testing::Test {
 protected:
  // Returns how many entries of it were removed.
  std::size_t transaction(std::uint64_t address) {
    log_.begin_transaction();
    log_.append(icd::LogEntry::of(read_of(address, 8), ordinal_++));
    log_.append(icd::LogEntry::of(read_of(address + 8, 8), ordinal_++));
    return log_.drop_repetition();
  }
  icd::TransactionLog log_;
  std::uint64_t ordinal_ = 0;
};

TEST_F(Repetitions, TheThirdIsDropped) {
  for (const std::uint64_t address : {0x1000, 0x2000, 0x1000, 0x2000})
    EXPECT_EQ(transaction(address), 0u);
  EXPECT_EQ(transaction(0x1000), 2u);
  EXPECT_EQ(transaction(0x2000), 2u);
  EXPECT_EQ(log_.in_memory(), 8u);
}

TEST_F(Repetitions, WhatCameInBetweenForTheFirstTimeComesBeforeTheNext) {
  for (int i = 0; i < 2; ++i) EXPECT_EQ(transaction(0x1000), 0u);
  EXPECT_EQ(transaction(0x1000), 2u);
  EXPECT_EQ(transaction(0x2000), 0u);
  EXPECT_EQ(transaction(0x1000), 0u);
  EXPECT_EQ(transaction(0x1000), 2u);
}

TEST_F(Repetitions, AreComparedWithAFewSinceTheLastForget) {
  for (int i = 0; i < 2; ++i) EXPECT_EQ(transaction(0x1000), 0u);
  log_.forget_transactions();
  for (int i = 0; i < 2; ++i) EXPECT_EQ(transaction(0x1000), 0u);
  EXPECT_EQ(transaction(0x1000), 2u);
  for (std::uint64_t other = 2; other < 10; ++other) transaction(other << 12);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(transaction(0x1000), 0u) << "too long ago";
}

}  // namespace
}  // namespace isosan
