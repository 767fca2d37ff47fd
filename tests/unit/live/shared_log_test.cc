#include "live/shared_log.h"

#include <gtest/gtest.h>

#include <cstring>

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
  writer.start(0, 5);
  for (std::uint64_t i = 0; i < 6; ++i) writer.append(0, {i, i});
  ASSERT_EQ(log.snapshot().size(), 1u);
  EXPECT_EQ(log.snapshot()[0].thread, 5u);
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

}  // namespace
}  // namespace isosan
