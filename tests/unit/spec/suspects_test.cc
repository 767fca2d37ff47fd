#include "spec/suspects.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/input_error.h"
#include "base/user_error.h"
#include "oracle/fresh_path.h"

namespace isosan {
namespace {

TEST(Suspects, RunsMergeIntoOneFile) {
  const std::string path = fresh_path("suspects_merge.toml");
  add_to_suspects(path, {.runs = 1, .unary = false, .regions = {"b", "a"}});
  const SuspectedNames all =
      add_to_suspects(path, {.runs = 1, .unary = true, .regions = {"ns::\"c\""}});
  EXPECT_EQ(all.regions, (std::set<std::string>{"a", "b", "ns::\"c\""}));
  const SuspectedNames read = read_suspects(path);
  EXPECT_EQ(read.runs, 2u);
  EXPECT_TRUE(read.unary);
  EXPECT_EQ(read.regions, all.regions);
}

TEST(Suspects, ARunWithoutSuspectsIsARunAllTheSame) {
  const std::string path = fresh_path("suspects_none.toml");
  add_to_suspects(path, {.runs = 1});
  EXPECT_EQ(read_suspects(path).runs, 1u);
  EXPECT_TRUE(read_suspects(path).regions.empty());
}

TEST(Suspects, WhereTheyCannotBeAddedIsToldBefore) {
  const std::string path = fresh_path("suspects_check.toml");
  check_that_suspects_can_be_added(path);
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_THROW(check_that_suspects_can_be_added("/nonexistent/folder/file"), UserError);
  EXPECT_THROW(check_that_suspects_can_be_added("/"), InputError);
  std::ofstream(path) << "no toml";
  EXPECT_THROW(check_that_suspects_can_be_added(path), InputError);
}

void expect_error(const std::string& text, const std::string& what) {
  const std::string path = fresh_path("suspects_bad.toml");
  std::ofstream(path) << text;
  try {
    read_suspects(path);
    ADD_FAILURE() << "no error for " << text;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
  }
}

TEST(Suspects, SaysWhichLineIsWrong) {
  expect_error("regions = []\nregion = []\n", ":2: unknown key of a suspects file: 'region'");
  expect_error("regions = [1]\n", ":1: 'regions' takes strings");
  expect_error("unary = 1\nregions = []\n", ":1: 'unary' must be true or false");
  expect_error("regions = [\n", "suspects_bad.toml:");
  expect_error("runs = -3\nregions = []\n", ":1: 'runs' must be a number, 0 or more");
  expect_error("", ": is not a suspects file: it has no 'regions'");
  EXPECT_THROW(read_suspects("/"), InputError);
}

}  // namespace
}  // namespace isosan
