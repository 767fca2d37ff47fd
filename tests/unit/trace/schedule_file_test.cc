// The text format of schedules: what is printed reads back, and each slip is told with its line.
#include "trace/schedule_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/input_error.h"

namespace isosan {
namespace {

Schedule example() {
  return {.build_ids = {"3f2a", "00ff"},
          .steps = {{"0", 12}, {"0.1", 5, 2}, {"0", 12, kUnlocked}, {"0.1", 6}},
          .first_after = "0.1",
          .notes = {"RWW on account::balance", "# not a comment"}};
}

std::string error_of(const std::string& text) {
  try {
    parse_schedule(text, "s");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ScheduleFile, PrintsOneThingPerLine) {
  EXPECT_EQ(print_schedule({.build_ids = {"ab"}, .steps = {{"0", 1}}, .first_after = "0"}),
            "isosan schedule 1\nsteps 1\nbuild ab\nfirst-after 0\nrun 0 until 1\n");
}

TEST(ScheduleFile, ReadsBackWhatItPrints) {
  EXPECT_EQ(parse_schedule(print_schedule(example()), "s"), example());
  EXPECT_EQ(parse_schedule(print_schedule({}), "s"), Schedule{});
}

TEST(ScheduleFile, ReadsBackAnchors) {
  Schedule schedule = example();
  schedule.steps[1].anchors = {
      {false, 2, "acquire", "", "Account::set", 2, "std::lock_guard guard(mutex_);"},
      {true, 1, "read", "Account::balance_", "operator new [abi]", 0, ""},
      {true, 1, "fork", "", "", 0, ""}};
  EXPECT_EQ(parse_schedule(print_schedule(schedule), "s"), schedule);
  EXPECT_THAT(
      print_schedule(schedule),
      testing::HasSubstr("run 0.1 until 5 +2\n  before 2 acquire\n  in 2 Account::set\n"
                         "  source std::lock_guard guard(mutex_);\n  behind 1 read "
                         "Account::balance_\n  in 0 operator new [abi]\n  behind 1 fork\n"));
}

TEST(ScheduleFile, SlipsOfAnchorsAreReportedWithTheirLine) {
  const std::string head = "isosan schedule 1\n", step = head + "run 0 until 1\n";
  EXPECT_EQ(error_of(head + "before 1 read"), "s:2: 'before' belongs behind a step");
  EXPECT_EQ(error_of(step + "before read"),
            "s:3: an anchor reads 'before NUMBER OPERATION [OPERAND]'");
  EXPECT_EQ(error_of(step + "in 3 f"), "s:3: this line belongs behind 'before' or 'behind'");
  EXPECT_EQ(error_of(step + "behind 1 read\nin f"), "s:4: a place reads 'in LINE FUNCTION'");
}

TEST(ScheduleFile, ReadsBackFromAFile) {
  const std::string path = testing::TempDir() + "/schedule_file_test.schedule";
  write_schedule(example(), path);
  EXPECT_EQ(read_schedule(path), example());
  std::filesystem::remove(path);
}

TEST(ScheduleFile, TakesCommentsBlankLinesAndCarriageReturns) {
  EXPECT_EQ(parse_schedule("# head\n\nisosan schedule 1\r\n  run 0.1.2   until 7 \n#\n", "s").steps,
            (std::vector<ScheduleStep>{{"0.1.2", 7}}));
}

TEST(ScheduleFile, SlipsAreToldWithTheirLine) {
  EXPECT_THAT(error_of(""), testing::StartsWith("s:1: is not a schedule"));
  EXPECT_THAT(error_of("T0|r(x)|1\n"), testing::StartsWith("s:1: is not a schedule"));
  EXPECT_THAT(error_of("isosan schedule 2\n"), testing::HasSubstr("version '2'"));
  const std::string head = "isosan schedule 1\n";
  EXPECT_THAT(error_of(head + "go 0\n"), testing::StartsWith("s:2: 'go' is not a line"));
  EXPECT_THAT(error_of(head + "run 0 to 3\n"), testing::StartsWith("s:2: a step reads"));
  EXPECT_THAT(error_of(head + "run 0 until 3x\n"), testing::StartsWith("s:2: a step reads"));
  EXPECT_THAT(error_of(head + "run 0..1 until 3\n"), testing::StartsWith("s:2: '0..1' is no"));
  EXPECT_THAT(error_of(head + "first-after main\n"), testing::StartsWith("s:2: 'main' is no"));
  EXPECT_THAT(error_of(head + "build\n"), testing::StartsWith("s:2: 'build' needs"));
  EXPECT_THAT(error_of(head + "run 0 until 9\nrun 0 until 3\n"),
              testing::StartsWith("s:3: thread 0 cannot go back from operation 9 to 3"));
}

TEST(ScheduleFile, AThreadIsABirthPath) {
  for (const std::string path : {"9.9", "00", "0.", ".0", "0.123456789", "0.99999999999999999999"})
    EXPECT_EQ(error_of("isosan schedule 1\nrun " + path + " until 3\n"),
              "s:2: '" + path + "' is not a thread, such as 0.1");
}

TEST(ScheduleFile, AFileThatIsCutOffIsNoSchedule) {
  const std::string text =
      print_schedule({.steps = {{"0", 1}, {"0.1", 3}, {"0", 19}}, .first_after = "0.1"});
  for (std::size_t end = 0; end < text.size(); ++end)
    EXPECT_NE(error_of(text.substr(0, end)), "") << text.substr(0, end);
  EXPECT_EQ(error_of("isosan schedule 1\n"), "s:1: the schedule has no steps");
  EXPECT_EQ(error_of("isosan schedule 1\nsteps 2\nrun 0 until 1\n"),
            "s:3: the schedule has 1 steps, and not 2 as 'steps' says");
  EXPECT_EQ(error_of("isosan schedule 1\nsteps 1\nrun 0 until 1"),
            "s:3: the last line of the schedule is cut off");
  EXPECT_EQ(error_of("isosan schedule 1\nsteps x\n"), "s:2: 'steps' needs a number");
}

TEST(ScheduleFile, AFileThatIsNotThereIsAnInputError) {
  EXPECT_THROW(read_schedule("/nonexistent/x.schedule"), InputError);
}

}  // namespace
}  // namespace isosan
