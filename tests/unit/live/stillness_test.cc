#include "live/stillness.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

constexpr std::uint64_t kLimit = 1000;

// Rounds of operations until it is reached, or too many.
template <class Round>
std::uint64_t rounds_until_still(Round round) {
  Stillness stillness(kLimit);
  std::uint64_t rounds = 0;
  while (!stillness.is_reached() && rounds < 100 * kLimit) round(stillness, rounds++);
  return rounds;
}

TEST(Stillness, LooksUnderALockAreNoChange) {
  const auto rounds = rounds_until_still([](Stillness& stillness, std::uint64_t) {
    stillness.take(Kind::kAcquire, 0, 0x100);
    stillness.take(Kind::kCall, 0, 0x900);  // no operation
    stillness.take(Kind::kRead, 0, 0x200);
    stillness.take(Kind::kRelease, 0, 0x100);
  });
  EXPECT_EQ(rounds, 1 + kLimit / 3);  // the first read is at a new place
}

TEST(Stillness, FailedTriesAreNoChange) {
  const auto rounds = rounds_until_still([](Stillness& stillness, std::uint64_t) {
    stillness.take(Kind::kAtomicLoad, kCompareExchange, 0x100);
    stillness.take(Kind::kAtomicRmw, kUnchanged, 0x100);  // the exchange of a lock that is held
    stillness.take(Kind::kWaitEnd, 1, 0x200);
  });
  EXPECT_EQ(rounds, kLimit / 2 + 1);
}

TEST(Stillness, OneChangeInARoundIsEnough) {
  for (const Kind kind : {Kind::kWrite, Kind::kAtomicStore, Kind::kAtomicRmw, Kind::kNotify,
                          Kind::kSemaphorePost, Kind::kFork, Kind::kThreadEnd, Kind::kAllocate}) {
    const auto rounds = rounds_until_still([&](Stillness& stillness, std::uint64_t) {
      for (int i = 0; i < 10; ++i) stillness.take(Kind::kRead, 0, 0x100);
      stillness.take(kind, 0, 0x100);
    });
    EXPECT_EQ(rounds, 100 * kLimit) << name_of(kind);
  }
}

TEST(Stillness, MoreMemoryThanItKnowsIsWork) {
  const auto rounds_over = [](std::size_t places) {
    return rounds_until_still([=](Stillness& stillness, std::uint64_t round) {
      stillness.take(Kind::kRead, 0, 8 * (round % places));
    });
  };
  EXPECT_EQ(rounds_over(Stillness::kMostPlaces), Stillness::kMostPlaces + kLimit);
  EXPECT_EQ(rounds_over(Stillness::kMostPlaces + 1), 100 * kLimit);
}

TEST(Stillness, ItStartsAgain) {
  Stillness stillness(kLimit);
  for (std::uint64_t i = 0; i < kLimit; ++i) stillness.take(Kind::kRead, 0, 0x100);
  EXPECT_FALSE(stillness.is_reached());  // the first one was at a new place
  stillness.start_again();
  for (std::uint64_t i = 0; i < kLimit; ++i) stillness.take(Kind::kRead, 0, 0x100);
  EXPECT_FALSE(stillness.is_reached());
  stillness.take(Kind::kRead, 0, 0x100);
  EXPECT_TRUE(stillness.is_reached());
}

TEST(Stillness, NeverIsNever) {
  Stillness stillness(Stillness::kNever);
  for (int i = 0; i < 10000; ++i) stillness.take(Kind::kRead, 0, 0x100);
  EXPECT_FALSE(stillness.is_reached());
  EXPECT_FALSE(stillness.is_wanted());
}

}  // namespace
}  // namespace isosan
