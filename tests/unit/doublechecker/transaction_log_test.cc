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

TEST(TransactionLog, DropsATransactionThatOneBeforeItWas) {
  icd::TransactionLog log;
  std::uint64_t ordinal = 0;
  const auto transaction = [&](std::uint64_t address) {
    log.begin_transaction();
    log.append(icd::LogEntry::of(read_of(address, 8), ordinal++));
    log.append(icd::LogEntry::of(read_of(address + 8, 8), ordinal++));
    return log.drop_repetition();
  };
  EXPECT_EQ(transaction(0x1000), 0u);
  EXPECT_EQ(transaction(0x2000), 0u);
  EXPECT_EQ(transaction(0x1000), 2u);
  EXPECT_EQ(transaction(0x2000), 2u);
  EXPECT_EQ(log.in_memory(), 4u);
  log.forget_transactions();
  EXPECT_EQ(transaction(0x1000), 0u);
  for (std::uint64_t other = 2; other < 6; ++other) transaction(other << 12);
  EXPECT_EQ(transaction(0x1000), 0u) << "too long ago";
  EXPECT_EQ(transaction(0x3000), 2u);
}

}  // namespace
}  // namespace isosan
