#include "suite/tests/framework.h"

#include <gtest/gtest.h>

namespace isosan::suite {
namespace {

std::string name_of(std::string_view contents) {
  const Framework* framework = framework_of(contents);
  return framework == nullptr ? "" : std::string(framework->name);
}

TEST(Framework, IsKnownByATextInTheProgram) {
  EXPECT_EQ(name_of("...gtest_list_tests..."), "GoogleTest");
  EXPECT_EQ(name_of("...list-test-names-only..."), "Catch2");
  EXPECT_EQ(name_of("...list-listeners..."), "Catch2 3");
  EXPECT_EQ(name_of("...[doctest] ..."), "doctest");
  EXPECT_EQ(name_of("...list_content..."), "Boost.Test");
  EXPECT_EQ(name_of("anything"), "");
}

TEST(Framework, OnlyProgramsAreSplitAndOnlyWhole) {
  const std::string self = "/proc/self/exe";  // a GoogleTest program
  ASSERT_NE(framework_of_command({self}), nullptr);
  EXPECT_NE(framework_of_command({self, "--gtest_color=no"}), nullptr);
  EXPECT_EQ(framework_of_command({self, "--gtest_filter=A.*"}), nullptr);
  EXPECT_EQ(framework_of_command({"/etc/passwd"}), nullptr);
  EXPECT_EQ(framework_of_command({"no-such-program"}), nullptr);
}

TEST(Framework, SpecialCharactersOfNames) {
  for (const Framework& one : frameworks()) {
    const std::string option = one.options_of("a, b").at(0);
    const bool escapes = one.name.starts_with("Catch2") || one.name == "doctest";
    EXPECT_EQ(option.ends_with(escapes ? "a\\, b" : "a, b"), true) << one.name;
  }
}

}  // namespace
}  // namespace isosan::suite
