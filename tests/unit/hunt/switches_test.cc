// A run of two threads, T0 = 0 and T1 = 0.0, as its changes of thread.
#include "hunt/switches.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

Event event(std::uint32_t thread, Kind kind, std::uint64_t address = 0) {
  return {.kind = kind, .thread = ThreadId{thread}, .address = address};
}

struct Recorded {
  std::vector<Event> events;
  Tables tables;
  Execution execution{.status = {}, .schedule = {}};
};

// T0: fork, write 8 | T1: read 8, write 8, end | T0: join
Recorded two_threads() {
  Recorded run;
  run.tables.threads.resize(2);
  run.tables.threads[0].birth_path = "0";
  run.tables.threads[1].birth_path = "0.0";
  run.events = {event(0, Kind::kFork, 1),  event(0, Kind::kWrite, 8),  event(1, Kind::kRead, 8),
                event(1, Kind::kWrite, 8), event(1, Kind::kThreadEnd), event(0, Kind::kJoin, 1)};
  run.execution.schedule.taken = {{"0", 2, 0}, {"0.0", 2, 0}};
  run.execution.schedule.ran_last = "0";
  return run;
}

TEST(Switches, SayWhoStopsWhereAndWhoGoesOn) {
  const Recorded run = two_threads();
  const auto switches = switches_of(run.events, run.tables, run.execution);
  ASSERT_EQ(switches.size(), 2u);
  EXPECT_EQ(switches[0].from, ThreadId{0});
  EXPECT_EQ(switches[0].executed, 2u);
  EXPECT_EQ(switches[0].last->kind, Kind::kWrite);
  EXPECT_EQ(switches[0].stops->kind, Kind::kJoin);
  EXPECT_EQ(switches[0].to, ThreadId{1});
  EXPECT_EQ(switches[0].runs, 2u);
  EXPECT_EQ(switches[0].goes_on->kind, Kind::kRead);
}

TEST(Switches, AThreadThatEndsStopsBeforeNothing) {
  const Recorded run = two_threads();
  const Switch last = switches_of(run.events, run.tables, run.execution)[1];
  EXPECT_EQ(last.from, ThreadId{1});
  EXPECT_TRUE(last.ends);
  EXPECT_FALSE(last.stops);
  EXPECT_EQ(last.begins, 2u);
  EXPECT_EQ(last.runs, 1u);
}

TEST(Switches, AThreadThatIsStuckGoesNoFurther) {
  Recorded run = two_threads();
  std::erase_if(run.events, [](const Event& one) { return one.kind == Kind::kThreadEnd; });
  EXPECT_FALSE(switches_of(run.events, run.tables, run.execution)[1].ends);
}

using Steps = std::vector<ScheduleStep>;

TEST(Stops, AtASwitch) {
  const Stop stop = stop_at_switch(two_threads().execution, 1);
  EXPECT_EQ(stop.schedule.steps, (Steps{{"0", 2, 0}, {"0.0", 2, 0}}));
  EXPECT_EQ(stop.schedule.first_after, "0");
  EXPECT_EQ(stop.steps, 1u);
}

TEST(Stops, BeforeAnOperationInTheMiddleOfAStretch) {
  const auto stop = stop_before(two_threads().execution, "0.0", 1);
  EXPECT_EQ(stop->schedule.steps, (Steps{{"0", 2, 0}, {"0.0", 1, 0}, {"0.0", 2, 0}}));
  EXPECT_EQ(stop->steps, 2u);
}

TEST(Stops, BeforeAnOperationOfTheLastStretch) {
  const auto stop = stop_before(two_threads().execution, "0", 2);
  EXPECT_EQ(stop->schedule.steps, (Steps{{"0", 2, 0}, {"0.0", 2, 0}, {"0", 2, 0}}));
  EXPECT_EQ(stop->steps, 3u);
}

TEST(Stops, NotBeforeAnOperationThatNobodyExecutes) {
  EXPECT_FALSE(stop_before(two_threads().execution, "0.0", 2));
  EXPECT_FALSE(stop_before(two_threads().execution, "0.7", 0));
}

TEST(Notes, OfTheIntruderCanBeReadBack) {
  Schedule schedule;
  EXPECT_FALSE(noted_intruder(schedule));
  schedule.notes = {"failure deadlock", as_note({"0.1", 17})};
  EXPECT_EQ(noted_intruder(schedule)->thread, "0.1");
  EXPECT_EQ(noted_intruder(schedule)->until, 17u);
}

}  // namespace
}  // namespace isosan
