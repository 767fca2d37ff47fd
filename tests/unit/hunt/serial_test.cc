// How an output is compared with that of serial runs.
#include "hunt/serial.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

using Lines = std::vector<std::string>;

Harness of(std::string_view serial) {
  Harness harness;
  harness.serial_lines = sorted_lines(serial);
  return harness;
}

TEST(SerialOutput, TheOrderOfLinesDoesNotMatter) {
  EXPECT_EQ(sorted_lines("b\na\n"), sorted_lines("a\nb\n"));
  EXPECT_EQ(sorted_lines("a\nb"), (Lines{"a", "b"}));
  EXPECT_EQ(sorted_lines("\n"), (Lines{""}));
  EXPECT_EQ(sorted_lines(""), Lines());
}

TEST(SerialOutput, HowOftenALineIsPrintedDoes) {
  const LineDifference found = difference(of("a\na\nb\n"), "a\nb\nb\nc\n", 5);
  EXPECT_EQ(found.more, (Lines{"b", "c"}));
  EXPECT_EQ(found.fewer, (Lines{"a"}));
}

TEST(SerialOutput, OnlyTheFirstLinesAreNamed) {
  EXPECT_EQ(difference(of(""), "c\nb\na\n", 2).more, (Lines{"a", "b"}));
}

TEST(SerialOutput, AnotherOutputIsAFailure) {
  Execution run{.status = {}, .schedule = {}};
  run.schedule.state = log::RunState::kBehind;
  run.output = "b\na\n";
  EXPECT_FALSE(judge(of("a\nb\n"), run));
  EXPECT_EQ(judge(of("a\n"), run)->kind, FailureKind::kSerial);
}

}  // namespace
}  // namespace isosan
