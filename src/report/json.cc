#include "report/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/kinds.h"
#include "report/names.h"
#include "report/source_lines.h"

namespace isosan {
namespace {

using Json = nlohmann::ordered_json;

std::string_view id_of(EdgeReason reason) {
  switch (reason) {
    case EdgeReason::kData:
      return "data";
    case EdgeReason::kSynchronization:
      return "synchronization";
    case EdgeReason::kProgramOrder:
      return "program-order";
  }
  return "";
}

// Unknown parts are left out.
Json to_json(const Place& place) {
  Json json = Json::object();
  if (!place.function.empty()) json["function"] = place.function;
  if (!place.file.empty()) json["file"] = place.file;
  if (place.line != 0) json["line"] = place.line;
  if (place.column != 0) json["column"] = place.column;
  if (place.definition) json["definition"] = true;
  return json;
}

class FindingToJson {
 public:
  FindingToJson(const Finding& finding, const Names& names, const Evidence& evidence,
                SourceLines& source)
      : finding_(finding), names_(names), evidence_(evidence), source_(source) {}

  Json notes() const {
    Json notes = Json::array();
    for (const std::string& note : finding_.notes)
      notes.push_back(names_.with_names(finding_, note));
    return notes;
  }

  Json convert() {
    Json steps = Json::array();
    for (const FindingStep& step : finding_.steps) steps.push_back(step_to_json(step));
    Json transactions = Json::array();
    for (const FindingTransaction& t : finding_.transactions) {
      transactions.push_back(transaction_to_json(t));
    }
    Json edges = Json::array();
    for (const FindingEdge& edge : finding_.edges) {
      edges.push_back({{"from", edge.from}, {"to", edge.to}, {"reason", id_of(edge.reason)}});
    }
    Json json{{"analysis", finding_.analysis},
              {"kind", text_of(finding_.kind).id},
              {"region", names_.subject(finding_)},
              {"message", finding_.message.empty() ? std::string(text_of(finding_.kind).meaning)
                                                   : names_.with_names(finding_, finding_.message)},
              {"times", finding_.times},
              {"threads", threads()},
              {"transactions", transactions},
              {"steps", steps},
              {"edges", edges},
              {"stacks", stacks_},
              {"notes", notes()}};
    if (names_.blames_block(finding_)) json["block"] = true;
    if (const auto [contended, broken] = finding_.executions; contended != 0)
      json["executions"] = {{"contended", contended}, {"broken", broken}};
    if (!finding_.unlikely.empty()) json["unlikely"] = finding_.unlikely;
    return json;
  }

 private:
  Json threads() const {
    std::vector<ThreadId> ids;
    for (const FindingTransaction& t : finding_.transactions) ids.push_back(t.thread);
    for (const FindingStep& step : finding_.steps) ids.push_back(step.where.thread);
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    Json threads = Json::array();
    for (const ThreadId id : ids) {
      Json thread{{"id", index(id)}, {"name", names_.thread(id)}};
      if (const std::string path = names_.birth_path(id); !path.empty()) thread["birth"] = path;
      threads.push_back(thread);
    }
    return threads;
  }

  Json transaction_to_json(const FindingTransaction& t) const {
    Json json{{"thread", index(t.thread)}};
    const std::string region = names_.region_or_function(t);
    json["region"] = region.empty() ? Json(nullptr) : Json(region);
    if (!region.empty()) {
      json["begin"] = {{"event", t.begin.ordinal}, {"place", to_json(names_.begin_of(t))}};
    }
    json["finished"] = t.finished;
    json["blamed"] = t.blamed;
    return json;
  }

  Json step_to_json(const FindingStep& step) {
    Json json{{"event", step.where.ordinal},
              {"thread", index(step.where.thread)},
              {"transaction", step.transaction},
              {"operation", name_of(step.operation)},
              {"operand", names_.operand(step)},
              {"address", step.address},
              {"size", step.size},
              {"place", to_json(names_.place(finding_, step))}};
    if (!step.role.empty()) json["role"] = step.role;
    if (const Place spot = names_.spot(step.where); !spot.definition) {
      const std::string line = source_.line(spot.file, spot.line);
      if (!line.empty()) json["source"] = line;
    }
    if (!step.locks.empty()) {
      Json locks = Json::array();
      for (const Address lock : step.locks) locks.push_back(names_.location(lock));
      json["locks"] = locks;
    }
    add_evidence(step, json);
    if (const std::vector<Place> frames = names_.stack(step.where); !frames.empty()) {
      json["stack"] = stack_number(frames);
    }
    return json;
  }

  void add_evidence(const FindingStep& step, Json& json) {
    const auto found = evidence_.find(step.where.ordinal);
    if (found == evidence_.end()) return;
    Json held = Json::array();
    for (const HeldLock& lock : found->second.locks) {
      held.push_back({{"lock", names_.location(lock.lock)},
                      {"shared", lock.mode == LockMode::kShared},
                      {"taken", to_json(names_.spot(lock.taken))}});
    }
    if (!held.empty()) json["held"] = held;
    if (const auto& block = found->second.block) {
      json["block"] = {{"offset", step.address - block->address},
                       {"size", block->size},
                       {"thread", index(block->allocated.thread)},
                       {"place", to_json(names_.spot(block->allocated))}};
      const std::vector<Place> frames = names_.stack(block->allocated);
      if (!frames.empty()) json["block"]["stack"] = stack_number(frames);
    }
  }

  std::size_t stack_number(const std::vector<Place>& frames) {
    Json stack = Json::array();
    for (const Place& frame : frames) stack.push_back(to_json(frame));
    const auto known = std::ranges::find(stacks_, stack);
    if (known != stacks_.end()) return static_cast<std::size_t>(known - stacks_.begin());
    stacks_.push_back(stack);
    return stacks_.size() - 1;
  }

  const Finding& finding_;
  const Names& names_;
  const Evidence& evidence_;
  SourceLines& source_;
  Json stacks_ = Json::array();
};

// What was watched, of a program that was run.
void add_watched(const RunRecord& run, Json& stats) {
  if (run.pid != 0) {
    stats["pid"] = run.pid;
    stats["threads"] = run.threads;
    if (run.unobserved_threads != 0) stats["unobserved_threads"] = run.unobserved_threads;
    stats["uncontended"] = run.uncontended;
  }
  if (!run.instrumented_modules.empty()) stats["instrumented_modules"] = run.instrumented_modules;
  Json processes = Json::array();
  for (const WatchedProcess& one : run.processes) {
    Json process{{"pid", one.pid}, {"command", one.command}, {"findings", one.findings}};
    const Json report = Json::parse(one.json, nullptr, false);
    if (report.contains("stats")) process["stats"] = report["stats"];
    if (!one.error.empty()) process["error"] = one.error;
    processes.push_back(process);
  }
  if (!processes.empty()) stats["processes"] = processes;
  if (run.still_running != 0) stats["still_running"] = run.still_running;
  if (!run.unobserved.empty()) stats["unobserved"] = run.unobserved;
}

Json stats_to_json(const RunRecord& run) {
  Json analyses = Json::object();
  for (const AnalysisStats& one : run.analyses) {
    Json stats = Json::object();
    for (const Stat& stat : one.stats) stats[stat.name] = stat.value;
    analyses[one.analysis] = stats;
  }
  Json stats{{"input", run.input},
             {"events", run.events},
             {"passed_over", run.passed_over},
             {"complete", run.error.empty()}};
  if (!run.error.empty()) stats["error"] = run.error;
  stats["analyses"] = analyses;
  if (run.regions_known) {
    stats["regions"] = {{"matched", run.regions_matched}, {"entered", run.regions_entered}};
    for (const auto& one : run.left_out) stats["regions"]["left_out"][one.why] = one.count;
    if (!run.regions_that_waited.empty()) stats["regions"]["waited"] = run.regions_that_waited;
  }
  Json blind = Json::array();
  for (const BlindModule& module : run.blind_modules) blind.push_back(module.path);
  if (!blind.empty()) stats["blind_modules"] = blind;
  if (run.racy_transfers != 0) stats["racy_transfers"] = run.racy_transfers;
  for (const FoldedRegion& one : run.folded)
    stats["folded"].push_back({{"region", one.region}, {"why", one.why}});
  if (!run.notes.empty()) stats["notes"] = run.notes;
  if (!run.ended_by.empty()) stats["ended_by"] = run.ended_by;
  if (run.exit_status) stats["exit_status"] = *run.exit_status;
  add_watched(run, stats);
  return stats;
}

}  // namespace

std::string json_report(const RunRecord& run, const Tables& tables) {
  const Names names(tables);
  SourceLines source(tables, run.quotes_source);
  Json findings = Json::array();
  for (const Finding& finding : run.findings) {
    findings.push_back(FindingToJson(finding, names, run.evidence, source).convert());
  }
  if (run.pid != 0) {
    for (Json& finding : findings) finding["process"] = run.pid;
  }
  for (const WatchedProcess& process : run.processes) {
    const Json other = Json::parse(process.json, nullptr, false);
    if (!other.contains("findings")) continue;
    for (const Json& finding : other["findings"]) findings.push_back(finding);
  }
  const Json report{
      {"version", kJsonVersion}, {"findings", findings}, {"stats", stats_to_json(run)}};
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace isosan
