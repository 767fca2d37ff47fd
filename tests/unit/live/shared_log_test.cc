#include "live/shared_log.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "runtime/contract/log_walk.h"

namespace isosan {
namespace {

// The writer's side, as the runtime does it, through a second mapping-free view of the same header.
class Writer {
 public:
  explicit Writer(SharedLog& log) : base_(reinterpret_cast<std::byte*>(&log.header())), log_(log) {}
  log::ThreadBlock& block(std::uint32_t i) {
    return reinterpret_cast<log::ThreadBlock*>(base_ + log_.header().blocks_offset)[i];
  }
  void start(std::uint32_t i, std::uint32_t thread) {
    block(i).thread = thread;
    block(i).state = log::ThreadState::kLive;
    ++log_.header().threads_started;
  }
  void append(std::uint32_t i, log::LogUnit unit) {
    auto* ring = reinterpret_cast<log::LogUnit*>(base_ + log_.header().rings_offset) +
                 std::size_t{i} * log_.header().ring_units;
    ring[block(i).position % log_.header().ring_units] = unit;
    ++block(i).position;
  }

 private:
  std::byte* base_;
  SharedLog& log_;
};

const SharedLogOptions kSmall{
    .max_threads = 4, .ring_units = 8, .max_modules = 2, .flags_bytes = 64};

TEST(SharedLog, ReadsWhatWasAppendedAcrossTheWrap) {
  SharedLog log(kSmall);
  Writer writer(log);
  writer.start(0, 3);
  for (std::uint64_t i = 0; i < 6; ++i) writer.append(0, {i, i});
  ASSERT_EQ(log.snapshot().size(), 1u);
  EXPECT_EQ(log.snapshot()[0].thread, 3u);
  EXPECT_EQ(log.snapshot()[0].position, 6u);
  log.consume(0, 6);
  for (std::uint64_t i = 6; i < 12; ++i) writer.append(0, {i, i});
  const auto live = log.snapshot().at(0);
  EXPECT_EQ(live.consumed, 6u);
  const auto pieces = log.units(0, live.consumed, live.position);
  ASSERT_EQ(pieces.first.size(), 2u);
  ASSERT_EQ(pieces.second.size(), 4u);
  EXPECT_EQ(pieces.first[0].word0, 6u);
  EXPECT_EQ(pieces.second[3].word0, 11u);
}

TEST(SharedLog, SeesAThreadThatWasCountedBeforeItsBlockWasLive) {
  SharedLog log(kSmall);
  Writer writer(log);
  writer.start(0, 0);
  ++log.header().threads_started;
  EXPECT_EQ(log.snapshot().size(), 1u);
  writer.block(1).thread = 1;
  writer.block(1).state = log::ThreadState::kLive;
  EXPECT_EQ(log.snapshot().size(), 2u);
}

TEST(SharedLog, ABlockIsReusedAfterItWasFreed) {
  SharedLog log(kSmall);
  Writer writer(log);
  writer.start(0, 0);
  writer.append(0, {1, 1});
  writer.block(0).state = log::ThreadState::kEnded;
  EXPECT_EQ(log.snapshot().at(0).state, log::ThreadState::kEnded);
  log.free_block(0);
  EXPECT_TRUE(log.snapshot().empty());
  writer.start(0, 1);
  EXPECT_EQ(log.snapshot().at(0).thread, 1u);
  EXPECT_EQ(log.snapshot().at(0).position, 0u);
}

// The bytes that a walk accesses, element by element, against those that its units tell.
TEST(Walks, AreLoggedByteByByteAsTheyWere) {
  for (const std::int32_t stride : {8, -8, 24, -24, 4096, -12}) {
    for (std::uint32_t count = 1; count < 70; ++count) {
      constexpr std::uint64_t kFirst = 0x100000, kPlace = 0x4242;
      constexpr std::uint16_t kSize = 8;
      log::Walk walk{
          .place = kPlace | log::kWalkWrites, .stride = stride, .count = count, .size = kSize};
      walk.next = kFirst + count * log::step_of(walk);
      std::set<std::uint64_t> walked, told;
      for (std::uint64_t i = 0; i < count; ++i) {
        for (std::uint64_t j = 0; j < kSize; ++j)
          walked.insert(kFirst + i * log::step_of(walk) + j);
      }
      log::LogUnit units[log::kWalkUnits];
      const std::uint64_t n = log::units_of(walk, units);
      for (std::uint64_t i = 0; i < n; ++i) {
        ASSERT_EQ(log::code_of(units[i]), log::code_of(Kind::kWrite));
        ASSERT_EQ(log::place_of(units[i]), kPlace);
        const std::uint64_t begin = log::address_of(units[i]);
        const bool range =
            i + 2 < n && units[i + 2].word0 >> 48 == static_cast<int>(log::Code::kRange);
        std::uint64_t size = log::detail_of(units[i]), elements = 1, step = 0;
        if (range) {
          elements = units[i + 1].word1;
          step = units[i + 2].word1;
          i += 2;
        } else if (log::has_extension(units[i])) {
          size = units[++i].word1;
        }
        for (std::uint64_t e = 0; e < elements; ++e) {
          for (std::uint64_t j = 0; j < size; ++j) told.insert(begin + e * step + j);
        }
      }
      EXPECT_EQ(told, walked) << "stride " << stride << " count " << count;
    }
  }
}

TEST(SharedLog, LogsTheWalksThatADeadProgramLeftOpen) {
  SharedLog log(kSmall);
  Writer writer(log);
  writer.start(0, 0);
  writer.append(0, log::make_unit(log::code_of(Kind::kRead), 1, 1));  // its extension never came
  log::ThreadBlock& block = writer.block(0);
  block.walks[4] = {.place = 7, .next = 0x80, .stride = 0x20, .count = 2, .size = 4, .begun = 9};
  block.walks[6] = {.place = 8, .next = 0x40, .stride = 4, .count = 2, .size = 4, .begun = 3};
  block.open_walks = 1u << 4 | 1u << 6;
  log.snapshot();
  EXPECT_TRUE(log.log_open_walks());
  const auto live = log.snapshot().at(0);
  ASSERT_EQ(live.position, 3u);
  const auto units = log.units(0, 0, 3).first;
  EXPECT_EQ(log::address_of(units[0]), 0x38u);  // begun first
  EXPECT_EQ(log::detail_of(units[0]), 8u);
  EXPECT_EQ(log::address_of(units[1]), 0x40u);
  EXPECT_EQ(log::address_of(units[2]), 0x60u);
  EXPECT_FALSE(log.log_open_walks());
}

}  // namespace
}  // namespace isosan
