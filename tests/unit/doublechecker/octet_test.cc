// Every row of Table 1 of the DoubleChecker paper.
#include "analysis/doublechecker/octet.h"

#include <gtest/gtest.h>

namespace isosan::octet {
namespace {

constexpr ThreadId T{1}, T2{2};
constexpr std::uint64_t kFresh = 9;
constexpr bool kRead = false, kWrite = true;

constexpr State wr_ex(ThreadId t) { return {Mode::kWrEx, t, 0}; }
constexpr State rd_ex(ThreadId t) { return {Mode::kRdEx, t, 0}; }
constexpr State rd_sh(std::uint64_t c) { return {Mode::kRdSh, {}, c}; }

void expect(const State& old, bool write, ThreadId thread, std::uint64_t known,
            Transition transition, const State& next) {
  const Step result = step(old, write, thread, known, kFresh);
  EXPECT_EQ(result.transition, transition);
  EXPECT_EQ(result.next, next);
}

TEST(OctetTable1, SameStateWrExReadOrWriteByOwner) {
  expect(wr_ex(T), kRead, T, 0, Transition::kSame, wr_ex(T));
  expect(wr_ex(T), kWrite, T, 0, Transition::kSame, wr_ex(T));
}
TEST(OctetTable1, SameStateRdExReadByOwner) {
  expect(rd_ex(T), kRead, T, 0, Transition::kSame, rd_ex(T));
}
TEST(OctetTable1, SameStateRdShReadByThreadThatKnowsTheCounter) {
  expect(rd_sh(5), kRead, T, 5, Transition::kSame, rd_sh(5));
  expect(rd_sh(5), kRead, T, 6, Transition::kSame, rd_sh(5));
}
TEST(OctetTable1, UpgradingRdExWrittenByOwner) {
  expect(rd_ex(T), kWrite, T, 0, Transition::kUpgradeToWrite, wr_ex(T));
}
TEST(OctetTable1, UpgradingRdExReadByAnother) {
  expect(rd_ex(T), kRead, T2, 0, Transition::kUpgradeToShared, rd_sh(kFresh));
}
TEST(OctetTable1, FenceRdShReadByThreadBehindTheCounter) {
  expect(rd_sh(5), kRead, T, 4, Transition::kFence, rd_sh(5));
}
TEST(OctetTable1, ConflictingWrExWrittenByAnother) {
  expect(wr_ex(T), kWrite, T2, 0, Transition::kConflict, wr_ex(T2));
}
TEST(OctetTable1, ConflictingWrExReadByAnother) {
  expect(wr_ex(T), kRead, T2, 0, Transition::kConflict, rd_ex(T2));
}
TEST(OctetTable1, ConflictingRdExWrittenByAnother) {
  expect(rd_ex(T), kWrite, T2, 0, Transition::kConflict, wr_ex(T2));
}
TEST(OctetTable1, ConflictingRdShWritten) {
  expect(rd_sh(5), kWrite, T, 9, Transition::kConflictShared, wr_ex(T));
}
TEST(Octet, UntouchedMemoryIsTakenWithoutADependence) {
  expect({}, kRead, T, 0, Transition::kFirst, rd_ex(T));
  expect({}, kWrite, T, 0, Transition::kFirst, wr_ex(T));
}

}  // namespace
}  // namespace isosan::octet
