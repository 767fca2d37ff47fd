#include "suite/tests/meson.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/input_error.h"

namespace isosan::suite {
namespace {

constexpr char kListed[] = R"([
  {"name": "bank", "cmd": ["/b/bank", "--all"], "env": {"A": "x=y"}, "workdir": "/b", "timeout": 30,
   "suite": ["bank"], "protocol": "exitcode"},
  {"name": "cases", "cmd": ["/b/cases"], "env": {}, "workdir": null, "timeout": -1, "protocol": "gtest"},
  {"name": "tap", "cmd": ["/b/tap"], "env": {}, "workdir": null, "timeout": 30, "protocol": "tap"},
  {"name": "none", "cmd": []}])";

TEST(Meson, TakesCommandsAndSurroundings) {
  const std::vector<TestCase> tests = parse_meson(kListed, "b");
  ASSERT_EQ(tests.size(), 3u);
  EXPECT_EQ(tests[0].name, "bank");
  EXPECT_EQ(tests[0].command, (std::vector<std::string>{"/b/bank", "--all"}));
  EXPECT_EQ(tests[0].folder, "/b");
  EXPECT_EQ(tests[0].seconds, 30);
  ASSERT_EQ(tests[0].environment.size(), 1u);
  EXPECT_EQ(tests[0].environment[0], (std::pair<std::string, std::string>{"A", "x=y"}));
  EXPECT_FALSE(tests[0].judged_otherwise);
  EXPECT_EQ(tests[1].folder, "");
  EXPECT_EQ(tests[1].seconds, 0);
  EXPECT_FALSE(tests[1].judged_otherwise);
  EXPECT_TRUE(tests[2].judged_otherwise);
}

TEST(Meson, OtherTextIsAnError) {
  EXPECT_THAT([] { parse_meson("", "b"); },
              ::testing::ThrowsMessage<InputError>(
                  ::testing::HasSubstr("b: is not a list of Meson's tests")));
  EXPECT_THROW(parse_meson("[3]", "b"), InputError);
  EXPECT_THROW(parse_meson(R"([{"name": "a"}])", "b"), InputError);
}

TEST(Meson, FolderWithoutTests) { EXPECT_EQ(meson_tests_file(testing::TempDir()), ""); }

}  // namespace
}  // namespace isosan::suite
