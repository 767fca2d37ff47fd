#include "suite/findings/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/input_error.h"
#include "unit/suite/findings.h"

namespace isosan::suite {
namespace {

std::string written(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

SuiteResult result_of(const std::vector<Sighting>& sightings) {
  SuiteResult result;
  result.tests.push_back({.name = "a",
                          .command = {"./a", "b c"},
                          .verdict = Verdict::kPassed,
                          .note = "said",
                          .threads = 3,
                          .contended = true,
                          .hunted = true,
                          .schedules = 7,
                          .seconds = 1.5});
  result.findings = merge(sightings);
  return result;
}

TEST(Result, IsReadAsItWasWritten) {
  SuiteResult result = result_of({failed("a", {inventory_cycle()})});
  result.gone.push_back({"race", "f", "x"});
  const std::string text = to_json(result).dump(1);
  const SuiteResult again = read_result(written("result.json", text));
  EXPECT_EQ(to_json(again).dump(1), text);
}

TEST(Result, SaysWhatIsNoResult) {
  EXPECT_THROW(read_result(testing::TempDir() + "/none.json"), InputError);
  EXPECT_THROW(read_result(written("broken.json", "{\"version\": 1")), InputError);
  EXPECT_THROW(read_result(written("other.json", "{\"version\": 1}")), InputError);
  EXPECT_THAT(
      [] { read_result(written("newer.json", "{\"version\": 99}")); },
      ::testing::ThrowsMessage<InputError>(::testing::HasSubstr("newer.json: of another version")));
}

TEST(Baseline, OnlyWhatIsNewCounts) {
  SuiteResult result = result_of({failed("a", {inventory_cycle(7)})});
  const std::string path = written("baseline.toml", baseline_of(result));
  SuiteResult later = result_of({failed("a", {inventory_cycle(80)}), failed("b", {})});
  compare(later, read_baseline(path));
  EXPECT_EQ(later.new_findings(), 1u);
  EXPECT_TRUE(later.gone.empty());
}

TEST(Baseline, WhatIsGoneIsSaid) {
  const std::string path =
      written("gone.toml", "[[known]]\nkind='race'\nfunction='f'\nof='x'\nreason='old'\n");
  SuiteResult result = result_of({});
  compare(result, read_baseline(path));
  EXPECT_EQ(result.gone, (std::vector<Cause>{{"race", "f", "x"}}));
  result.complete = false;  // other tests may still show it
  compare(result, read_baseline(path));
  EXPECT_TRUE(result.gone.empty());
}

TEST(Baseline, WhatDidNotRunStaysAndReasonsDo) {
  const std::vector<Known> known = {
      {{"race", "f", "x"}, "ticket 17"},
      {{"atomicity", "shop::Inventory::order", "shop::Inventory"}, "sold out"}};
  SuiteResult result = result_of({failed("a", {inventory_cycle(7)})});
  const auto kept = [&] { return read_baseline(written("kept.toml", baseline_of(result, known))); };
  ASSERT_EQ(kept().size(), 1u);
  EXPECT_EQ(kept()[0].reason, "sold out");
  result.selected = true;
  ASSERT_EQ(kept().size(), 2u);
  EXPECT_EQ(kept()[1].reason, "ticket 17");
  compare(result, known);
  EXPECT_TRUE(result.gone.empty());
}

TEST(Baseline, ErrorsNameTheLine) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      read_baseline(written("wrong.toml", text));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("[[known]]\nkind = 'race'\n").find("needs 'function'"), std::string::npos);
  EXPECT_NE(message("[[known]]\nline = 3\n").find("wrong.toml:2"), std::string::npos);
  EXPECT_NE(message("[[known]]\nkind='atomicty'\nfunction='f'\nof='x'\n").find("wrong.toml:2"),
            std::string::npos);
  EXPECT_NE(message("other = 1\n").find("[[known]]"), std::string::npos);
}

TEST(Difference, IsByCause) {
  const Difference difference =
      isosan::suite::difference(result_of({failed("a", {inventory_cycle(7)}), failed("b", {})}),
                                result_of({failed("a", {inventory_cycle(9)}), failed("c", {})}));
  EXPECT_EQ(difference.stayed.size(), 1u);
  EXPECT_EQ(difference.gone, (std::vector<Cause>{{"failure", "", "b"}}));
  EXPECT_EQ(difference.added, (std::vector<Cause>{{"failure", "", "c"}}));
}

}  // namespace
}  // namespace isosan::suite
