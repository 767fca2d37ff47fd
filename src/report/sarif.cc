#include "report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/file_uri.h"
#include "report/kinds.h"
#include "report/names.h"
#include "report/source_lines.h"
#include "report/timeline.h"

namespace isosan {
namespace {

using Json = nlohmann::ordered_json;

Json location_of(const Place& place, const std::string& message, const std::string& line = "") {
  Json location = Json::object();
  if (!place.file.empty()) {
    Json physical{{"artifactLocation", {{"uri", file_uri(place.file)}}}};
    if (place.line != 0) {
      physical["region"] = {{"startLine", place.line}};
      if (place.column != 0) physical["region"]["startColumn"] = place.column;
      if (!line.empty()) physical["region"]["snippet"] = {{"text", line}};
    }
    location["physicalLocation"] = physical;
  }
  if (!place.function.empty()) {
    location["logicalLocations"] =
        Json::array({Json{{"fullyQualifiedName", place.function}, {"kind", "function"}}});
  }
  if (!message.empty()) location["message"] = {{"text", message}};
  return location;
}

class ResultOf {
 public:
  ResultOf(const Finding& finding, const Names& names, SourceLines& source)
      : finding_(finding), names_(names), timeline_(finding, names), source_(source) {}

  Json convert() const {
    const KindText& kind = text_of(finding_.kind);
    std::string message = std::string(kind.title);
    if (const std::string subject = names_.subject(finding_); !subject.empty()) {
      message += " (" + subject + ")";
    }
    message += ": " + (finding_.message.empty() ? std::string(kind.meaning)
                                                : names_.with_names(finding_, finding_.message));
    Json result{{"ruleId", kind.id},
                {"ruleIndex", static_cast<int>(finding_.kind)},
                {"level", "warning"},
                {"message", {{"text", message}}},
                {"locations", Json::array({main_location()})},
                {"partialFingerprints",
                 {{"isosan/v1", finding_.analysis + ":" + std::string(kind.id) + ":" +
                                    names_.subject(finding_)}}},
                {"occurrenceCount", finding_.times},
                {"properties", {{"analysis", finding_.analysis}}}};
    if (!finding_.steps.empty()) result["codeFlows"] = Json::array({code_flow()});
    if (const Json all = stacks(); !all.empty()) result["stacks"] = all;
    return result;
  }

 private:
  // Where a viewer puts the finding: the begin of the blamed transaction, or the last step.
  Json main_location() const {
    const auto blamed = std::ranges::find_if(finding_.transactions, &FindingTransaction::blamed);
    Place place;
    if (blamed != finding_.transactions.end()) place = names_.begin_of(*blamed);
    if (place.file.empty() && !finding_.steps.empty()) {
      const Place last = names_.place(finding_, finding_.steps[timeline_.steps().back()]);
      if (last.known()) place = last;
    }
    if (place.function.empty()) place.function = names_.subject(finding_);
    return location_of(place, "");
  }

  Json code_flow() const {
    std::map<ThreadId, Json> flows;
    for (const std::size_t i : timeline_.steps()) {
      const FindingStep& step = finding_.steps[i];
      const Place place = names_.place(finding_, step);
      std::string text = describe(step, names_);
      if (!step.role.empty()) text = step.role + ": " + text;
      flows[step.where.thread].push_back(
          {{"location", location_of(place, text, source_.line(place.file, place.line))},
           {"executionOrder", timeline_.row_of(i)}});
    }
    Json thread_flows = Json::array();
    for (const auto& [thread, locations] : flows) {
      thread_flows.push_back({{"id", names_.thread(thread)}, {"locations", locations}});
    }
    return {{"threadFlows", thread_flows}};
  }

  Json stacks() const {
    Json stacks = Json::array();
    for (const std::size_t i : timeline_.steps()) {
      const FindingStep& step = finding_.steps[i];
      Json frames = Json::array();
      for (const Place& frame : names_.stack(step.where)) {
        frames.push_back({{"location", location_of(frame, "")}});
      }
      if (frames.empty()) continue;
      const std::string text =
          fmt::format("{} by thread {}", describe(step, names_), names_.thread(step.where.thread));
      Json stack = {{"message", {{"text", text}}},
                    {"frames", frames}};  // the standard requires each stack once
      if (std::ranges::find(stacks, stack) == stacks.end()) stacks.push_back(std::move(stack));
    }
    return stacks;
  }

  const Finding& finding_;
  const Names& names_;
  Timeline timeline_;
  SourceLines& source_;
};

Json rules() {
  Json rules = Json::array();
  for (const KindText& kind : kKindTexts) {
    rules.push_back({{"id", kind.id},
                     {"shortDescription", {{"text", kind.title}}},
                     {"fullDescription", {{"text", kind.meaning}}},
                     {"defaultConfiguration", {{"level", "warning"}}}});
  }
  return rules;
}

Json invocation(const RunRecord& run) {
  Json json{{"executionSuccessful", run.error.empty()}};
  if (run.pid != 0) {
    json["commandLine"] = run.input;
    json["processId"] = run.pid;
  }
  if (!run.error.empty()) {
    json["toolExecutionNotifications"] =
        Json::array({Json{{"level", "error"}, {"message", {{"text", run.error}}}}});
  }
  return json;
}

}  // namespace

std::string sarif_report(const RunRecord& run, const Tables& tables, std::string_view version) {
  const Names names(tables);
  SourceLines source(tables, run.quotes_source);
  Json results = Json::array();
  for (const Finding& finding : run.findings) {
    results.push_back(ResultOf(finding, names, source).convert());
  }
  const Json driver{{"name", "IsoSan"}, {"version", version}, {"rules", rules()}};
  const Json sarif_run{{"tool", {{"driver", driver}}},
                       {"invocations", Json::array({invocation(run)})},
                       {"columnKind", "utf16CodeUnits"},
                       {"results", results}};
  Json runs = Json::array({sarif_run});
  for (const WatchedProcess& process : run.processes) {
    const Json other = Json::parse(process.sarif, nullptr, false);
    if (!other.contains("runs")) continue;
    for (const Json& one : other["runs"]) runs.push_back(one);
  }
  const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", runs}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace isosan
