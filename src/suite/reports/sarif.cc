#include "suite/reports/sarif.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/file_uri.h"
#include "suite/findings/hint.h"
#include "suite/findings/why.h"

namespace isosan::suite {
namespace {

struct Rule {
  std::string_view kind, text;
};
constexpr std::array<Rule, 4> kRules = {{
    {"atomicity", "A function that should be atomic is not: another thread comes in between."},
    {"deadlock", "Threads wait for each other."},
    {"race", "Two threads use the same memory and nothing orders them."},
    {"failure", "A test fails in some schedules."},
}};

Json rules() {
  Json all = Json::array();
  for (const Rule& rule : kRules)
    all.push_back({{"id", rule.kind}, {"shortDescription", {{"text", rule.text}}}});
  return all;
}

Json location_of(const Json& place, const std::string& text = "") {
  Json location = Json::object();
  if (place.contains("file")) {
    Json physical{{"artifactLocation", {{"uri", file_uri(place.at("file").get<std::string>())}}}};
    if (place.contains("line")) physical["region"] = {{"startLine", place.at("line")}};
    location["physicalLocation"] = physical;
  }
  if (place.contains("function"))
    location["logicalLocations"] =
        Json::array({Json{{"fullyQualifiedName", place.at("function")}, {"kind", "function"}}});
  if (!text.empty()) location["message"] = {{"text", text}};
  return location;
}

// One flow for each thread; executionOrder carries the interleaving across them.
Json flow_of(const Json& evidence) {
  std::map<int, Json> threads;
  int order = 0;
  for (const Json* step : telling_steps(evidence)) {
    const Json where = location_of(own_place(evidence, *step), step_text(evidence, *step));
    threads[step->at("thread").get<int>()].push_back(
        Json{{"location", where}, {"executionOrder", ++order}});
  }
  Json flows = Json::array();
  for (const auto& [thread, locations] : threads)
    flows.push_back(Json{{"id", fmt::format("T{}", thread)}, {"locations", locations}});
  return Json::array({Json{{"threadFlows", flows}}});
}

std::string message_of(const MergedFinding& finding) {
  std::vector<std::string> sentences = {headline(finding.cause) + "."};
  for (const std::string& sentence : why(finding)) sentences.push_back(sentence);
  if (const std::string how = hint(finding); !how.empty()) sentences.push_back("Hint: " + how);
  if (finding.proved()) sentences.push_back("Replay: " + finding.tests.front().replay);
  return fmt::format("{}", fmt::join(sentences, " "));
}

Json result_of(const MergedFinding& finding) {
  const Cause& cause = finding.cause;
  const auto rule = std::ranges::find(kRules, cause.kind, &Rule::kind);
  Json result{{"ruleId", cause.kind},
              {"ruleIndex", rule - kRules.begin()},
              {"level", finding.proved() ? "error" : "warning"},
              {"message", {{"text", message_of(finding)}}},
              {"baselineState", finding.is_new ? "new" : "unchanged"},
              {"partialFingerprints",
               {{"isosan/cause", cause.kind + ":" + cause.function + ":" + cause.of}}}};
  // What nothing explains is at no place.
  if (finding.evidence.empty() || cause.kind == "failure") return result;
  const Json& evidence = finding.evidence.front();
  const std::vector<const Json*> steps = telling_steps(evidence);
  if (steps.empty()) return result;
  result["locations"] = Json::array({location_of(own_place(evidence, *steps.front()))});
  result["codeFlows"] = flow_of(evidence);
  return result;
}

}  // namespace

std::string sarif_report(const SuiteResult& result, std::string_view version) {
  Json results = Json::array();
  for (const MergedFinding& finding : result.findings) results.push_back(result_of(finding));
  const Json run{
      {"tool", {{"driver", {{"name", "IsoSan"}, {"version", version}, {"rules", rules()}}}}},
      {"invocations", Json::array({Json{{"executionSuccessful", result.complete}}})},
      {"columnKind", "utf16CodeUnits"},
      {"results", results}};
  const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({run})}};
  return log.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace isosan::suite
