#include "suite/reports/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/shown.h"
#include "suite/findings/failure_lines.h"
#include "suite/findings/hint.h"
#include "suite/findings/why.h"

namespace isosan::suite {
namespace {

constexpr std::size_t kMostTests = 10;  // that show a finding

std::string plural(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string how_many(const MergedFinding& finding) {
  const auto failing = std::ranges::count_if(
      finding.tests, [](const TestOfFinding& one) { return !one.failure.empty(); });
  if (failing == 0) return fmt::format("seen in {}", plural(finding.tests.size(), "test"));
  return failing == 1 ? "1 test fails" : fmt::format("{} tests fail", failing);
}

// What the first test that fails wrote.
std::vector<std::string> said(const MergedFinding& finding) {
  if (finding.cause.kind == "deadlock") return {};  // it was cut off
  for (const Json& one : finding.evidence) {
    if (!one.contains("failure")) continue;
    const Json& failure = one.at("failure");
    return failure_lines(failure.value("errors", std::string()),
                         failure.value("output", std::string()));
  }
  return {};
}

std::string tests_text(const MergedFinding& finding) {
  std::string text = "  Tests:\n";
  for (std::size_t i = 0; i < std::min(finding.tests.size(), kMostTests); ++i) {
    const TestOfFinding& one = finding.tests[i];
    text += fmt::format("    {}{}\n", shown(one.test),
                        one.failure.empty() ? "" : ": fails: " + shown(one.failure));
  }
  if (finding.tests.size() > kMostTests)
    text += fmt::format("    and {} more\n", finding.tests.size() - kMostTests);
  return text;
}

std::string steps_text(const MergedFinding& finding) {
  if (finding.evidence.empty()) return {};
  const Json& first = finding.evidence.front();
  std::string text = "  What happened:\n";
  for (const Json* step : telling_steps(first)) {
    text += fmt::format("    {}\n", shown(step_text(first, *step)));
    // The line is that of the innermost frame, which may be a library's.
    if (step->contains("source") && line_of(own_place(first, *step)) == line_of(step->at("place")))
      text += fmt::format("        {}\n", shown(step->at("source").get<std::string>()));
  }
  return text;
}

std::string tests_line(const SuiteResult& result) {
  std::map<Verdict, std::size_t> verdicts;
  std::size_t breakable = 0;  // passed, and fail in a schedule that was found
  std::uint64_t hunted = 0, unchanged = 0, schedules = 0;
  for (const TestResult& one : result.tests) {
    const bool breaks = one.verdict == Verdict::kPassed && result.fails_when_hunted(one.name);
    ++(breaks ? breakable : verdicts[one.verdict]);
    unchanged += one.unchanged;
    if (!one.hunted || one.unchanged) continue;
    ++hunted;
    schedules += one.schedules;
  }
  std::vector<std::string> parts;
  if (breakable != 0)
    parts.push_back(
        fmt::format("{} {} in some schedules", breakable, breakable == 1 ? "fails" : "fail"));
  for (const auto& [verdict, count] : verdicts)
    parts.push_back(fmt::format("{} {}", count, id_of(verdict)));
  return fmt::format(
      "IsoSan: {}: {}; {} hunted, {}{}; {:.1f} s\n", plural(result.tests.size(), "test"),
      fmt::join(parts, ", "), hunted, plural(schedules, "schedule"),
      unchanged == 0 ? "" : fmt::format("; {} unchanged", unchanged), result.seconds);
}

std::string trouble_text(const SuiteResult& result) {
  std::string text;
  for (const TestResult& one : result.tests) {
    const bool fine = one.verdict == Verdict::kPassed || one.verdict == Verdict::kNotRun ||
                      one.verdict == Verdict::kSkipped;
    if (fine && one.note.empty()) continue;
    text += fmt::format("IsoSan: {}: {}{}\n", shown(one.name), id_of(one.verdict),
                        one.note.empty() ? "" : ": " + shown(one.note));
    for (const std::string& line : one.output) text += "  | " + shown(line) + "\n";
  }
  return text;
}

}  // namespace

std::string finding_text(const MergedFinding& finding, std::size_t number) {
  std::string text = "==================\n";
  text += fmt::format("{}. {} [{}{}]\n", number, shown(headline(finding.cause)), how_many(finding),
                      finding.is_new ? "" : ", known");
  for (const std::string& line : said(finding)) text += "  | " + shown(line) + "\n";
  for (const std::string& sentence : why(finding)) text += "  " + shown(sentence) + "\n";
  text += steps_text(finding) + tests_text(finding);
  if (const std::string how = hint(finding); !how.empty()) text += "  Hint: " + shown(how) + "\n";
  if (finding.proved()) text += fmt::format("  Replay: {}\n", finding.tests.front().replay);
  return text;
}

std::string result_text(const SuiteResult& result) {
  std::string text;
  for (std::size_t i = 0; i < result.findings.size(); ++i)
    text += finding_text(result.findings[i], i + 1);
  if (!result.findings.empty()) text += "==================\n\n";
  for (const Cause& cause : result.gone)
    text += fmt::format("IsoSan: gone: {}\n", shown(headline(cause)));
  text += trouble_text(result) + tests_line(result);
  if (!result.complete) text += "IsoSan: ended before all was done\n";
  const std::size_t known = result.findings.size() - result.new_findings();
  return text + fmt::format("SUMMARY: IsoSan: {}{}\n", plural(result.findings.size(), "finding"),
                            known == 0 ? "" : fmt::format(", {} of them known", known));
}

std::string difference_text(const Difference& difference) {
  std::string text;
  for (const Cause& one : difference.added) text += fmt::format("+ {}\n", shown(headline(one)));
  for (const Cause& one : difference.gone) text += fmt::format("- {}\n", shown(headline(one)));
  for (const Cause& one : difference.stayed) text += fmt::format("  {}\n", shown(headline(one)));
  return text + fmt::format("SUMMARY: IsoSan: {} new, {} gone, {} in both\n",
                            difference.added.size(), difference.gone.size(),
                            difference.stayed.size());
}

}  // namespace isosan::suite
