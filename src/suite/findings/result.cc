#include "suite/findings/result.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "base/input_error.h"
#include "suite/findings/hint.h"
#include "suite/findings/why.h"

namespace isosan::suite {
namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 7> kVerdicts = {{
    {Verdict::kPassed, "passed"},
    {Verdict::kFailed, "failed"},
    {Verdict::kHangs, "hangs"},
    {Verdict::kSkipped, "skipped"},
    {Verdict::kNotInstrumented, "not-instrumented"},
    {Verdict::kError, "error"},
    {Verdict::kNotRun, "not-run"},
}};

Json to_json(const Cause& cause) {
  return {{"kind", cause.kind}, {"function", cause.function}, {"of", cause.of}};
}

Cause cause_in(const Json& json) { return {json.at("kind"), json.at("function"), json.at("of")}; }

Json to_json(const TestOfFinding& test) {
  Json json{{"test", test.test}};
  if (!test.failure.empty()) {
    json["failure"] = test.failure;
    json["schedule"] = test.schedule;
    json["replay"] = test.replay;
  }
  return json;
}

Json to_json(const MergedFinding& finding) {
  Json tests = Json::array();
  for (const TestOfFinding& test : finding.tests) tests.push_back(to_json(test));
  Json evidence = Json::array();
  for (const Json& one : finding.evidence) evidence.push_back(one);
  return {{"cause", to_json(finding.cause)},
          {"headline", headline(finding.cause)},
          {"why", why(finding)},
          {"hint", hint(finding)},
          {"new", finding.is_new},
          {"proved", finding.proved()},
          {"tests", tests},
          {"evidence", evidence}};
}

MergedFinding finding_in(const Json& json) {
  MergedFinding finding;
  finding.cause = cause_in(json.at("cause"));
  finding.is_new = json.at("new");
  for (const Json& test : json.at("tests")) {
    finding.tests.push_back({test.at("test"), test.value("failure", ""), test.value("schedule", ""),
                             test.value("replay", "")});
  }
  for (const Json& one : json.at("evidence")) finding.evidence.push_back(one);
  return finding;
}

Verdict verdict_in(const Json& json) {
  const auto found = std::ranges::find(kVerdicts, json.get<std::string>(),
                                       &std::pair<Verdict, std::string_view>::second);
  return found == kVerdicts.end() ? Verdict::kError : found->first;
}

}  // namespace

std::string_view id_of(Verdict verdict) {
  return std::ranges::find(kVerdicts, verdict, &std::pair<Verdict, std::string_view>::first)
      ->second;
}

Json to_json(const TestResult& test) {
  Json json{{"name", test.name},
            {"command", test.command},
            {"verdict", id_of(test.verdict)},
            {"threads", test.threads},
            {"contended", test.contended},
            {"hunted", test.hunted},
            {"unchanged", test.unchanged},
            {"schedules", test.schedules},
            {"seconds", test.seconds}};
  if (!test.note.empty()) json["note"] = test.note;
  if (!test.output.empty()) json["output"] = test.output;
  return json;
}

TestResult test_result_in(const Json& json) {
  return {.name = json.at("name"),
          .command = json.at("command"),
          .verdict = verdict_in(json.at("verdict")),
          .note = json.value("note", ""),
          .output = json.value("output", std::vector<std::string>()),
          .threads = json.at("threads"),
          .contended = json.at("contended"),
          .hunted = json.at("hunted"),
          .unchanged = json.value("unchanged", false),
          .schedules = json.at("schedules"),
          .seconds = json.at("seconds")};
}

std::uint64_t SuiteResult::new_findings() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(findings, &MergedFinding::is_new));
}

bool SuiteResult::shows_finding(const std::string& test) const {
  return std::ranges::any_of(findings, [&](const MergedFinding& one) {
    return std::ranges::find(one.tests, test, &TestOfFinding::test) != one.tests.end();
  });
}

bool SuiteResult::fails_when_hunted(const std::string& test) const {
  return std::ranges::any_of(findings, [&](const MergedFinding& one) {
    return std::ranges::any_of(one.tests, [&](const TestOfFinding& shows) {
      return shows.test == test && !shows.failure.empty();
    });
  });
}

Json to_json(const SuiteResult& result) {
  Json findings = Json::array(), tests = Json::array(), gone = Json::array();
  for (const MergedFinding& one : result.findings) findings.push_back(to_json(one));
  for (const TestResult& one : result.tests) tests.push_back(to_json(one));
  for (const Cause& one : result.gone) gone.push_back(to_json(one));
  return {{"version", kResultVersion},
          {"complete", result.complete},
          {"seconds", result.seconds},
          {"findings", findings},
          {"tests", tests},
          {"gone", gone}};
}

SuiteResult result_in(const Json& json) {
  SuiteResult result;
  result.complete = json.at("complete");
  result.seconds = json.at("seconds");
  for (const Json& one : json.at("findings")) result.findings.push_back(finding_in(one));
  for (const Json& one : json.at("tests")) result.tests.push_back(test_result_in(one));
  for (const Json& one : json.at("gone")) result.gone.push_back(cause_in(one));
  return result;
}

SuiteResult read_result(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path + ": cannot be opened");
  try {
    const Json json = Json::parse(file);
    if (json.at("version") != kResultVersion) throw InputError(path + ": of another version");
    return result_in(json);
  } catch (const Json::exception&) {
    throw InputError(path + ": is not a result of 'isosan test'");
  }
}

}  // namespace isosan::suite
