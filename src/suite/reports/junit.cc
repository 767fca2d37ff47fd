#include "suite/reports/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/shown.h"
#include "suite/reports/text.h"

namespace isosan::suite {
namespace {

// XML has no room for control characters, escaped or not: shown() writes them out.
std::string xml(const std::string& text) {
  std::string safe;
  for (const char c : shown_lines(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

struct Counts {
  std::size_t failures = 0, errors = 0, skipped = 0;
};

std::string element(std::string_view name, const std::string& message, const std::string& text) {
  return fmt::format("      <{} message=\"{}\">{}</{}>\n", name, xml(message), xml(text), name);
}

// The finding as this test shows it: its own failure and replay. What the test wrote is known of
// the first one alone.
MergedFinding as_shown_by(std::vector<TestOfFinding>::const_iterator test,
                          const MergedFinding& finding) {
  MergedFinding shown = finding;
  if (test != finding.tests.begin())
    for (Json& one : shown.evidence) one.erase("failure");
  shown.tests = {*test};
  return shown;
}

std::string findings_of(const TestResult& test, const SuiteResult& result) {
  std::string all;
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const MergedFinding& finding = result.findings[i];
    const auto shows = std::ranges::find(finding.tests, test.name, &TestOfFinding::test);
    if (shows == finding.tests.end() || !finding.is_new) continue;
    all += element("failure", headline(finding.cause),
                   finding_text(as_shown_by(shows, finding), i + 1));
  }
  return all;
}

std::string outcome_of(const TestResult& test, const SuiteResult& result, Counts& counts) {
  const std::string findings = findings_of(test, result);
  const bool failed = (test.verdict == Verdict::kFailed || test.verdict == Verdict::kHangs) &&
                      !result.shows_finding(test.name);
  if (!findings.empty() || failed) {
    ++counts.failures;
    return failed ? element("failure", fmt::format("the test {}", id_of(test.verdict)), test.note) +
                        findings
                  : findings;
  }
  if (test.verdict == Verdict::kError) {
    ++counts.errors;
    return element("error", test.note, "");
  }
  if (test.verdict == Verdict::kPassed) return {};
  ++counts.skipped;
  return fmt::format("      <skipped message=\"{}\"/>\n", id_of(test.verdict));
}

}  // namespace

std::string junit_report(const SuiteResult& result) {
  Counts counts;
  std::string cases;
  for (const TestResult& test : result.tests) {
    const std::string outcome = outcome_of(test, result, counts);
    cases += fmt::format("    <testcase classname=\"isosan\" name=\"{}\" time=\"{:.3f}\"{}\n",
                         xml(test.name), test.seconds,
                         outcome.empty() ? "/>" : ">\n" + outcome + "    </testcase>");
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"isosan\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n{}  </testsuite>\n</testsuites>\n",
      result.tests.size(), counts.failures, counts.errors, counts.skipped, result.seconds, cases);
}

}  // namespace isosan::suite
