#include "suite/tests/ctest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/input_error.h"

namespace isosan::suite {
namespace {

constexpr char kListed[] = R"({"kind": "ctestInfo", "tests": [
  {"name": "plain", "command": ["/b/plain", "--all"], "properties": [
     {"name": "WORKING_DIRECTORY", "value": "/b"},
     {"name": "ENVIRONMENT", "value": ["A=1", "B=x=y", "C"]},
     {"name": "TIMEOUT", "value": 7.5}]},
  {"name": "inverted", "command": ["/b/inverted"], "properties": [{"name": "WILL_FAIL", "value": true}]},
  {"name": "skips", "command": ["/b/s"], "properties": [{"name": "SKIP_REGULAR_EXPRESSION", "value": ["x"]}]},
  {"name": "off", "command": ["/b/off"], "properties": [{"name": "DISABLED", "value": true}]},
  {"name": "unbuilt", "properties": []}]})";

TEST(CTest, TakesCommandsAndProperties) {
  const std::vector<TestCase> tests = parse_ctest(kListed, "b");
  ASSERT_EQ(tests.size(), 3u);
  EXPECT_EQ(tests[0].name, "plain");
  EXPECT_EQ(tests[0].command, (std::vector<std::string>{"/b/plain", "--all"}));
  EXPECT_EQ(tests[0].folder, "/b");
  EXPECT_EQ(tests[0].seconds, 7.5);
  ASSERT_EQ(tests[0].environment.size(), 3u);
  EXPECT_EQ(tests[0].environment[1], (std::pair<std::string, std::string>{"B", "x=y"}));
  EXPECT_FALSE(tests[0].judged_otherwise);
  EXPECT_TRUE(tests[1].judged_otherwise);
  EXPECT_FALSE(tests[2].judged_otherwise);
}

TEST(CTest, OtherTextIsAnError) {
  EXPECT_THAT([] { parse_ctest("", "b"); },
              ::testing::ThrowsMessage<InputError>(
                  ::testing::HasSubstr("b: ctest does not list its tests (--show-only=json-v1)")));
  EXPECT_THROW(parse_ctest("{}", "b"), InputError);
  EXPECT_THROW(parse_ctest(R"({"tests": [{"command": 3}]})", "b"), InputError);
}

TEST(CTest, FolderWithoutTests) { EXPECT_EQ(ctest_folder(testing::TempDir()), ""); }

}  // namespace
}  // namespace isosan::suite
