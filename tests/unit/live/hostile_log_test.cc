// A target that writes over its log: what is checked, and what is kept on this side.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "live/live_source.h"
#include "live/schedule_room.h"
#include "live/shared_log.h"

namespace isosan {
namespace {

using testing::HasSubstr;

const SharedLogOptions kSmall{
    .max_threads = 4, .ring_units = 64, .max_modules = 2, .flags_bytes = 64};

class HostileLog : public testing::Test {
 protected:
  log::ThreadBlock& block(std::uint32_t i) {
    return reinterpret_cast<log::ThreadBlock*>(log_.base() + log_.layout().blocks_offset)[i];
  }
  void start(std::uint32_t i, std::uint32_t thread) {
    block(i).thread = thread;
    block(i).state = log::ThreadState::kLive;
  }
  void append(std::uint32_t i, log::LogUnit unit) {
    auto* rings = reinterpret_cast<log::LogUnit*>(log_.base() + log_.layout().rings_offset);
    rings[i * log_.layout().ring_units + block(i).position++ % log_.layout().ring_units] = unit;
  }
  // What snapshot() says.
  std::string damage() {
    try {
      log_.snapshot();
      return "";
    } catch (const LogDamage& problem) {
      return problem.what();
    }
  }

  SharedLog log_{kSmall};
};

TEST_F(HostileLog, CannotBeMadeSmaller) {
  EXPECT_NE(ftruncate(log_.fd(), 4096), 0);
  EXPECT_EQ(errno, EPERM);
}

TEST_F(HostileLog, AnOverwrittenHeaderMovesNothing) {
  start(0, 0);
  append(0, {1, 2});
  std::memset(static_cast<void*>(&log_.header()), 0xff, sizeof(log::LogHeader));
  ASSERT_EQ(log_.snapshot().size(), 1u);
  EXPECT_EQ(log_.units(0, 0, 1).first[0].word1, 2u);
  log_.consume(0, 1);
  log_.free_block(0);
  EXPECT_EQ(log_.snapshot().size(), 0u);
  EXPECT_THROW(log_.modules_announced(), LogDamage);
}

TEST_F(HostileLog, WhatWasReadIsKnownHere) {
  start(0, 0);
  for (int i = 0; i < 10; ++i) append(0, {1, 2});
  log_.snapshot();
  log_.consume(0, 10);
  block(0).consumed = 3;
  EXPECT_EQ(log_.snapshot().at(0).consumed, 10u);
}

TEST_F(HostileLog, APositionThatCannotBe) {
  start(0, 0);
  block(0).position = 65;
  EXPECT_THAT(damage(), HasSubstr("thread 0 has logged 65 units, of which 0 are read"));
  block(0).position = 64;
  EXPECT_EQ(damage(), "");
  log_.consume(0, 64);
  block(0).position = 63;
  EXPECT_THAT(damage(), HasSubstr("63 units, of which 64 are read"));
}

TEST_F(HostileLog, ThreadsThatCannotBe) {
  start(0, 0);
  EXPECT_EQ(damage(), "");
  start(1, 5);
  EXPECT_THAT(damage(), HasSubstr("thread 5 after 1 others"));
  start(1, 0);
  EXPECT_THAT(damage(), HasSubstr("thread 0 starts again"));
  start(1, 4);
  EXPECT_EQ(damage(), "");
  block(1).thread = 2;
  EXPECT_THAT(damage(), HasSubstr("thread 4 has become 2"));
  block(1).thread = 4;
  block(1).state = log::ThreadState::kFree;
  EXPECT_THAT(damage(), HasSubstr("thread 4 is gone"));
}

TEST_F(HostileLog, ModulesStayInTheirRoom) {
  log_.header().modules_announced = 3;
  EXPECT_THROW(log_.modules_announced(), LogDamage);
  auto* records = reinterpret_cast<log::ModuleRecord*>(log_.base() + log_.layout().modules_offset);
  records[0].path_length = 0xffffffff;
  EXPECT_EQ(log_.module(0).path_length, sizeof(log::ModuleRecord::path));
  const std::vector<std::uint8_t> flags(1000, 7);
  for (const std::uint64_t offset :
       {std::uint64_t{0}, log_.layout().flags_area_offset + 60, ~std::uint64_t{0}}) {
    records[0].flags_offset = offset;
    log_.send_flags(0, flags);
  }
  const auto* area = reinterpret_cast<std::uint8_t*>(log_.base() + log_.layout().flags_area_offset);
  EXPECT_EQ(area[63], 7);
  EXPECT_EQ(area[64], 0) << "behind the area";
  log_.header().flags_area_used = ~std::uint64_t{0} - 8;
  log_.send_regions(0, std::vector<log::RegionRange>(1));
  EXPECT_EQ(records[0].region_count, 0u);
}

TEST_F(HostileLog, WhatCameBeforeTheDamageIsHandedOn) {
  int looks = 0;
  const auto act = [&] {
    if (looks == 0) {
      start(0, 0);
      append(0, log::make_unit(log::code_of(Kind::kWrite), 0x1000, 0, 8));
    }
    if (looks == 1) block(0).position = 1000;
    return ++looks == 5;
  };
  LiveSource live(log_, act, {});
  std::size_t events = 0;
  for (auto batch = live.next(); !batch.empty(); batch = live.next()) events += batch.size();
  EXPECT_EQ(events, 1u);
  EXPECT_EQ(looks, 5) << "it is read until the program has ended";
  EXPECT_THAT(live.damage(),
              HasSubstr("the program has written over its log: thread 0 has logged"));
  EXPECT_NE(log_.header().reader_pid, static_cast<std::uint32_t>(getpid()));
}

TEST_F(HostileLog, AnEventThatCannotBeEndsTheEvents) {
  int looks = 0;
  const auto act = [&] {
    if (looks == 0) {
      start(0, 0);
      append(0, log::make_unit(log::code_of(Kind::kWrite), 0x1000, 0, 8));
      append(0, log::make_unit(log::code_of(Kind::kNotify), 0x1000, 0, 99));
      append(0, log::make_unit(log::code_of(Kind::kWrite), 0x1000, 0, 8));
    }
    return ++looks == 3;
  };
  LiveSource live(log_, act, {});
  std::size_t events = 0;
  for (auto batch = live.next(); !batch.empty(); batch = live.next()) events += batch.size();
  EXPECT_EQ(events, 1u);
  EXPECT_THAT(live.damage(), HasSubstr("an event that cannot be"));
}

TEST(HostileSchedule, IsBelievedAsFarAsItMakesSense) {
  SharedLogOptions options = kSmall;
  options.schedule_bytes = schedule_bytes({});
  SharedLog log(options);
  put_schedule(log, {});
  auto* area = reinterpret_cast<log::ScheduleArea*>(log.base() + log.layout().schedule_offset);
  auto* paths = reinterpret_cast<log::PathEntry*>(log.base() + area->paths_offset);
  paths[0].thread = 0;
  paths[0].blocker = 77;
  paths[1] = {.parent = 0, .ordinal = 3, .waits = static_cast<log::Waits>(99), .thread = 1};
  paths[2] = {.parent = 9, .ordinal = 0, .thread = 2};
  auto* taken = reinterpret_cast<log::Step*>(log.base() + area->taken_offset);
  taken[0] = {.until = 4, .path = 1};
  taken[1] = {.until = 5, .path = 2};
  area->paths = 0xffffffff;
  area->taken = ~std::uint64_t{0};
  area->running = 0xffffffff;
  area->state = static_cast<log::RunState>(1000);
  area->paths_offset = area->taken_offset = ~std::uint64_t{0};
  const ScheduleOutcome outcome = schedule_outcome(log);
  EXPECT_EQ(outcome.state, log::RunState::kFollowing);
  ASSERT_EQ(outcome.threads.size(), 2u);
  EXPECT_FALSE(outcome.threads[0].blocker);
  EXPECT_EQ(outcome.threads[1].path, "0.3");
  EXPECT_EQ(outcome.threads[1].waits, log::Waits::kNot);
  ASSERT_EQ(outcome.taken.size(), 1u);
  EXPECT_EQ(outcome.taken[0].thread, "0.3");
  EXPECT_EQ(outcome.ran_last, "0");
}

}  // namespace
}  // namespace isosan
