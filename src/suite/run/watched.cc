#include "suite/run/watched.h"

#include <fmt/format.h>

#include <set>
#include <sstream>

#include "base/shell_word.h"
#include "suite/findings/failure_lines.h"

namespace isosan::suite {
namespace {

// Calls f for the statistics of each process of the run.
template <class F>
void for_each_process(const Json& report, F f) {
  if (!report.contains("stats")) return;
  const Json& stats = report.at("stats");
  f(stats);
  for (const Json& process : stats.value("processes", Json::array())) {
    if (process.contains("stats")) f(process.at("stats"));
  }
}

// The test runs elsewhere, or with more in its environment: the command says so.
std::string with_surroundings(const TestCase& test, const std::string& command) {
  std::string text = test.folder.empty() ? "" : fmt::format("cd {} && ", shell_word(test.folder));
  if (!test.environment.empty()) text += "env ";
  for (const auto& [name, value] : test.environment) text += shell_word(name + "=" + value) + " ";
  return text + command;
}

std::string replay_in(const Json& finding) {
  constexpr std::string_view kNote = "replay: ";
  for (const Json& note : finding.at("notes")) {
    const std::string text = note;
    if (text.starts_with(kNote)) return text.substr(kNote.size());
  }
  return {};
}

bool skips_itself(const TestCase& test, int status, const std::string& output) {
  if (test.skip_status == status) return true;
  return !test.skip_mark.empty() && output.find(test.skip_mark) != output.npos;
}

// On stderr isosan writes, too: a report from one line of '=' to the next, and lines of its own.
std::string without_reports(const std::string& errors) {
  constexpr std::string_view kEdge = "==================";
  std::istringstream lines(errors);
  std::string text;
  bool in_report = false;
  for (std::string line; std::getline(lines, line);) {
    const bool ours = line.starts_with("IsoSan: ") || line.starts_with("SUMMARY: IsoSan") ||
                      line.starts_with("isosan: ");
    if (line == kEdge) in_report = !in_report;
    if (!in_report && !ours && line != kEdge) text += line + "\n";
  }
  return text;
}

std::vector<std::string> written_by_test(const ProcessOutcome& outcome) {
  return failure_lines(without_reports(outcome.errors), outcome.output);
}

}  // namespace

std::string complaint(const std::string& errors) {
  constexpr std::string_view kOurs = "isosan: ";
  std::istringstream lines(errors);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kOurs)) last = line.substr(kOurs.size());
  }
  return last;
}

void read_watch(TestResult& result, const TestCase& test, const Json& report,
                const ProcessOutcome& outcome) {
  result.seconds = outcome.took.count();
  for_each_process(report, [&](const Json& stats) {
    if (result.threads != 0) return;
    result.threads = stats.value("threads", std::uint64_t{0});
    result.contended = !stats.value("uncontended", true);
  });
  if (outcome.timed_out) {
    result.verdict = Verdict::kHangs;
    result.note = fmt::format("no end within {:.0f} s", outcome.took.count());
  } else if (outcome.status == kNothingSeen && report.is_null()) {
    result.verdict = Verdict::kNotInstrumented;
  } else if (report.is_null()) {
    result.verdict = Verdict::kError;
    result.note = complaint(outcome.errors);
    if (result.note.empty()) result.note = fmt::format("exit status {}", outcome.status);
  } else {
    const Json& stats = report.at("stats");
    if (stats.contains("error")) {
      result.verdict = Verdict::kError;
      result.note = stats.at("error");
      return;
    }
    const int status = stats.value("exit_status", 0);
    if (stats.contains("ended_by")) result.note = stats.at("ended_by");
    if (status != 0) result.note = fmt::format("exit status {}", status);
    result.verdict = result.note.empty() ? Verdict::kPassed : Verdict::kFailed;
    if (skips_itself(test, status, outcome.output)) result.verdict = Verdict::kSkipped;
  }
  if (result.verdict == Verdict::kFailed || result.verdict == Verdict::kHangs)
    result.output = written_by_test(outcome);
}

std::vector<Sighting> sightings_of(const std::string& test, const Json& report) {
  std::vector<Sighting> sightings;
  if (report.is_null()) return sightings;
  for (const Json& finding : report.at("findings"))
    sightings.push_back({test, finding, {}, "", "", ""});
  return sightings;
}

std::vector<std::string> modules_of(const Json& report) {
  std::set<std::string> modules;
  for_each_process(report, [&](const Json& stats) {
    for (const Json& path : stats.value("instrumented_modules", Json::array()))
      modules.insert(path.get<std::string>());
  });
  return {modules.begin(), modules.end()};
}

std::vector<Sighting> failures_of(const TestCase& test, const Json& report) {
  std::vector<Sighting> failures;
  if (report.is_null()) return failures;
  for (const Json& finding : report.at("findings")) {
    failures.push_back({.test = test.name,
                        .finding = finding,
                        .explanations = {},
                        .failure = finding.at("failure").at("text"),
                        .schedule = finding.at("schedule"),
                        .replay = with_surroundings(test, replay_in(finding))});
  }
  return failures;
}

std::uint64_t schedules_of(const Json& report) {
  if (report.is_null()) return 0;
  const Json& hunt = report.at("stats").at("analyses").value("hunt", Json::object());
  return hunt.value("executions", std::uint64_t{0}) + hunt.value("observed", std::uint64_t{0});
}

bool tried_all(const Json& report) {
  if (report.is_null()) return false;
  return !report.at("findings").empty() || !report.at("stats").contains("stopped");
}

}  // namespace isosan::suite
