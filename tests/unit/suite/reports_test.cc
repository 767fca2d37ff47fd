#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "suite/findings/failure_lines.h"
#include "suite/reports/annotations.h"
#include "suite/reports/html.h"
#include "suite/reports/junit.h"
#include "suite/reports/sarif.h"
#include "suite/reports/text.h"
#include "unit/suite/findings.h"

namespace isosan::suite {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

SuiteResult sample() {
  SuiteResult result;
  for (const auto& [name, verdict] : {std::pair{"a<b", Verdict::kPassed},
                                      {"c", Verdict::kFailed},
                                      {"d", Verdict::kNotInstrumented},
                                      {"e", Verdict::kError},
                                      {"f", Verdict::kPassed}}) {
    TestResult test;
    test.name = name;
    test.verdict = verdict;
    result.tests.push_back(test);
  }
  result.findings = merge({failed("a<b", {inventory_cycle()})});
  return result;
}

TEST(Text, SaysWhoAndWhyAndHowToSeeItAgain) {
  const std::string text = result_text(sample());
  EXPECT_THAT(text,
              HasSubstr("1. shop::Inventory::order is not atomic (shop::Inventory) [1 test fails]\n"
                        "  | x.cc:3: Failure\n  |   one\n  Between its read of stock_"));
  EXPECT_THAT(text, HasSubstr("    T2 write of stock_ in shop::Inventory::order (shop.cc:13)\n"));
  EXPECT_THAT(text, HasSubstr("    a<b: fails: exit status 1\n  Hint: "));
  EXPECT_THAT(text, HasSubstr("\n  Replay: isosan replay x\n"));
  EXPECT_THAT(text, HasSubstr("IsoSan: 5 tests: 1 fails in some schedules, 1 passed, 1 failed, 1 "
                              "not-instrumented, 1 error;"));
  EXPECT_TRUE(text.ends_with("SUMMARY: IsoSan: 1 finding\n"));
}

TEST(Text, CountsTheHuntsOfThisRun) {
  SuiteResult result = sample();
  result.tests[0].hunted = result.tests[4].hunted = result.tests[4].unchanged = true;
  result.tests[0].schedules = 7;
  result.tests[4].schedules = 100;
  EXPECT_THAT(result_text(result), HasSubstr("; 1 hunted, 7 schedules; 1 unchanged; 0.0 s\n"));
}

TEST(Text, KnownAndGone) {
  SuiteResult result = sample();
  result.findings[0].is_new = false;
  result.gone.push_back({"race", "f", "x"});
  result.complete = false;
  const std::string text = result_text(result);
  EXPECT_THAT(text, HasSubstr("[1 test fails, known]"));
  EXPECT_THAT(text, HasSubstr("IsoSan: gone: data race in f (x)\n"));
  EXPECT_THAT(text, HasSubstr("IsoSan: ended before all was done\n"));
  EXPECT_TRUE(text.ends_with("SUMMARY: IsoSan: 1 finding, 1 of them known\n"));
}

TEST(Text, TheLinesInWhichATestSaysWhyItFailed) {
  EXPECT_THAT(failure_lines("start\nx.cc:1: Failure\n  1 != 2\n\nrest\n", 5),
              ElementsAre("x.cc:1: Failure", "  1 != 2"));
  EXPECT_THAT(failure_lines("1\n2\n3\n", 2), ElementsAre("2", "3"));
  EXPECT_THAT(failure_lines("", 5), ElementsAre());
  const std::string log = "adding 1\nadding 2\n", said = "[ RUN ]\nx.cc:1: Failure\n";
  EXPECT_THAT(failure_lines(log, said), ElementsAre("x.cc:1: Failure"));
  EXPECT_THAT(failure_lines(said, log), ElementsAre("x.cc:1: Failure"));
  EXPECT_THAT(failure_lines(log, "[ RUN ]\n"), ElementsAre("adding 1", "adding 2"));
  EXPECT_THAT(failure_lines("", "1\n2\n"), ElementsAre("1", "2"));
}

TEST(JUnit, HasOneCaseForEachTest) {
  const std::string xml = junit_report(sample());
  EXPECT_THAT(xml, HasSubstr("tests=\"5\" failures=\"2\" errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("name=\"a&lt;b\""));
  EXPECT_THAT(xml, HasSubstr("<failure message=\"shop::Inventory::order is not atomic"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"not-instrumented\"/>"));
  EXPECT_THAT(xml, HasSubstr("name=\"f\" time=\"0.000\"/>"));
}

TEST(JUnit, WhatIsKnownFailsNoTest) {
  SuiteResult result = sample();
  result.findings[0].is_new = false;
  EXPECT_THAT(junit_report(result), Not(HasSubstr("shop::Inventory")));
}

TEST(JUnit, ATestHasItsOwnReplay) {
  SuiteResult result = sample();
  result.findings =
      merge({failed("first", {inventory_cycle(7)}), failed("second", {inventory_cycle(7)})});
  ASSERT_EQ(result.findings[0].tests.size(), 2u);
  result.findings[0].tests[0].replay = "replay of the first";
  result.findings[0].tests[1].replay = "replay of the second";
  result.tests = {{.name = "second"}};
  const std::string xml = junit_report(result);
  EXPECT_THAT(xml, HasSubstr("replay of the second"));
  EXPECT_THAT(xml, Not(HasSubstr("replay of the first")));
}

TEST(Annotations, AreOfNewFindingsAndNameTheirPlace) {
  SuiteResult result = sample();
  const std::string text = annotations(result, "/src");
  EXPECT_TRUE(text.starts_with(
      "::error file=shop.cc,line=7,title=IsoSan::shop::Inventory::order is not atomic"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 1);
  result.findings[0].is_new = false;
  EXPECT_EQ(annotations(result, ""), "");
  result.findings = merge({failed("50%,\n", {})});
  EXPECT_EQ(annotations(result, ""),
            "::error title=IsoSan::a test fails in some schedules (50%25,%0A). why\n");
}

TEST(Sarif, HasOneResultForEachFinding) {
  SuiteResult result = sample();
  result.findings.push_back(merge({failed("nobody", {})}).at(0));
  result.findings[0].is_new = false;
  const Json log = Json::parse(sarif_report(result, "1"));
  const Json& results = log.at("runs").at(0).at("results");
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0]["baselineState"], "unchanged");
  EXPECT_EQ(results[0]["partialFingerprints"]["isosan/cause"],
            "atomicity:shop::Inventory::order:shop::Inventory");
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "file:///src/shop.cc");
  EXPECT_EQ(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 7);
  const Json& flows = results[0]["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(flows.size(), 2u);
  EXPECT_EQ(flows[1]["locations"][0]["executionOrder"], 2);
}

std::string sample_page(const std::string& file, bool quoted) {
  SuiteResult result = sample();
  for (Json& step : result.findings[0].evidence[0]["steps"]) {
    step["place"]["file"] = file;
    if (quoted) step["source"] = "a line";
  }
  return html_report(result);
}

TEST(Html, HoldsItsDataAndNoMarkupOfOthers) {
  const std::string page = html_report(sample());
  EXPECT_THAT(page, HasSubstr("\"test\":\"a\\u003cb\""));
  EXPECT_THAT(page, Not(HasSubstr("a<b")));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
}

TEST(Html, ShowsFilesThatARunHasQuotedOnly) {
  const std::string file = testing::TempDir() + "/quoted.cc";
  std::ofstream(file) << "int secret;\n";
  EXPECT_THAT(sample_page(file, true), HasSubstr("int secret;"));
  EXPECT_THAT(sample_page(file, false), Not(HasSubstr("int secret;")));
}

}  // namespace
}  // namespace isosan::suite
