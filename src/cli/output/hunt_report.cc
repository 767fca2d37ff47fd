#include "cli/output/hunt_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/shell_word.h"
#include "base/shown.h"
#include "cli/options/harness_options.h"
#include "cli/options/report_file.h"
#include "cli/output/prediction_text.h"
#include "report/json.h"
#include "report/names.h"
#include "report/sarif.h"
#include "trace/schedule_file.h"

namespace isosan {
namespace {

constexpr std::size_t kMostErrorLines = 5;
constexpr std::size_t kMostJsonLines = 40;

std::string last_lines(const std::string& text, std::size_t most, std::string_view before) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::string last;
  for (std::size_t i = lines.size() > most ? lines.size() - most : 0; i < lines.size(); ++i) {
    last += fmt::format("{}{}\n", before, lines[i]);
  }
  return last;
}

std::string_view id_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kObserved:
      return "in-observed-run";
    case Verdict::kNotRun:
      return "not-run";
    case Verdict::kInfeasible:
      return "infeasible";
    case Verdict::kPassed:
      return "passed";
    case Verdict::kFailed:
      return "failed";
  }
  return "";
}

std::string indented(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "    " + line + "\n";
  return text;
}

std::string why_deadlock(const Story& story) {
  if (story.cycle.empty()) return "  No thread can go on:\n" + indented(story.waiting);
  std::string text = story.cycle.size() == 1 ? "  A thread waits for itself:\n"
                                             : "  Threads wait for each other:\n";
  text += indented(story.cycle);
  return story.waiting.empty() ? text : text + "  and besides:\n" + indented(story.waiting);
}

std::string why_atomicity(const ConfirmedFailure& confirmed, const Names& names) {
  if (!confirmed.story.pattern) return {};
  const std::string region = names.region(confirmed.story.region);
  const auto operand_of = [&](std::string_view role) {
    return names.operand(*std::ranges::find(confirmed.finding.steps, role, &FindingStep::role));
  };
  std::string operands = operand_of("e1");
  if (is_pair(*confirmed.story.pattern)) operands += " and " + operand_of("e2");
  return fmt::format("  Atomicity violation: pattern {} (e1, f, e2) on {}, within {}\n",
                     name_of(*confirmed.story.pattern), operands,
                     region.empty() ? "one thread" : region);
}

// Who has freed the memory, and who uses it or frees it again.
std::string why_heap(const ConfirmedFailure& confirmed, const Names& names) {
  const auto at = [&](std::string_view mark) -> std::string {
    const auto step = std::ranges::find(confirmed.finding.steps, mark, &FindingStep::role);
    if (step == confirmed.finding.steps.end()) return {};
    const std::string place = to_string(names.spot(step->where));
    return names.thread(step->where.thread) + (place.empty() ? "" : " at " + place);
  };
  const std::string free = at(kFreeMark), use = at(kUseMark);
  if (free.empty()) return {};
  return use.empty() ? fmt::format("  Freed by {}, and again by {}\n", free, at(kFreeAgainMark))
                     : fmt::format("  Freed by {}, and then used by {}\n", free, use);
}

std::string why_not_serial(const LineDifference& differs) {
  std::string text;
  for (const std::string& line : differs.more)
    text += fmt::format("  Not printed by serial runs: {}\n", shown(line));
  for (const std::string& line : differs.fewer)
    text += fmt::format("  Printed only by serial runs: {}\n", shown(line));
  return text;
}

std::string why(const ConfirmedFailure& confirmed) {
  const Names names(confirmed.tables);
  if (confirmed.failure.kind == FailureKind::kSerial) {
    return why_not_serial(confirmed.differs) + why_atomicity(confirmed, names);
  }
  if (confirmed.failure.kind == FailureKind::kDeadlock) return why_deadlock(confirmed.story);
  if (confirmed.failure.kind == FailureKind::kLivelock)
    return "  Again and again:\n" + indented(confirmed.story.rounds);
  if (confirmed.failure.kind == FailureKind::kHeap) {
    return why_heap(confirmed, names) + why_atomicity(confirmed, names);
  }
  return why_atomicity(confirmed, names);
}

std::vector<std::string> shown_all(std::vector<std::string> lines) {
  for (std::string& line : lines) line = shown(line);
  return lines;
}

void write_to(const std::string& path, const nlohmann::json& value) {
  write_report(path, value.dump(2) + "\n");
}

}  // namespace

HuntReport::HuntReport(std::string json, std::string sarif, std::string replay_options)
    : json_path_(std::move(json)),
      sarif_path_(std::move(sarif)),
      replay_options_(std::move(replay_options)) {
  const RunRecord empty;
  const Tables tables;
  json_ = nlohmann::json::parse(json_report(empty, tables));
  sarif_ = nlohmann::json::parse(sarif_report(empty, tables, ISOSAN_VERSION));
  write_to(json_path_, json_);  // an error in a path shows before the hunt
  write_to(sarif_path_, sarif_);
}

void HuntReport::warn(const std::string& text) {
  fmt::print(stderr, "isosan hunt: {}\n", shown(text));
  json_["stats"]["warnings"].push_back(text);
}

void HuntReport::stopped(const std::string& why) {
  warn(why);
  json_["stats"]["stopped"] = why;
}

void HuntReport::add_tried(const std::vector<TriedSchedule>& tried) {
  json_["schedules"] = nlohmann::json::array();
  for (const TriedSchedule& one : tried) {
    const Names names(*one.tables);
    nlohmann::json json{{"pattern", name_of(one.prediction.pattern)},
                        {"message", describe(one.prediction, names)},
                        {"shape", name_of(one.shape)},
                        {"verdict", id_of(one.verdict)}};
    if (!one.why.empty()) json["why"] = one.why;
    json_["schedules"].push_back(std::move(json));
  }
}

void HuntReport::add(const ConfirmedFailure& confirmed, const std::string& schedule_path,
                     const std::vector<std::string>& command) {
  ++found_;
  fmt::print("==================\n");
  fmt::print("ERROR: IsoSan: the program fails: {}\n", shown(confirmed.failure.text));
  fmt::print("{}", shown_lines(last_lines(confirmed.errors, kMostErrorLines, "  | ")));
  fmt::print("\n{}\n{}\n", why(confirmed),
             draw_lanes(confirmed.story, confirmed.finding, confirmed.tables));
  fmt::print("  {}{} changes of thread (at first {}), failed in {} of {} replays\n",
             confirmed.in_observed_run ? "The observed run itself failed. " : "", confirmed.changes,
             confirmed.changes_at_first, confirmed.replays, confirmed.replays);
  const std::string replay = fmt::format("isosan replay{} {} -- {}", replay_options_,
                                         shell_word(schedule_path), shell_words(command));
  fmt::print("  Replay: {}\n", replay);
  fmt::print("==================\n");
  RunRecord record{.input = shell_words(command)};
  record.quotes_source = true;
  record.findings.push_back(confirmed.finding);
  record.findings.back().notes.push_back("replay: " + replay);
  nlohmann::json one = nlohmann::json::parse(json_report(record, confirmed.tables));
  json_["stats"]["input"] = one["stats"]["input"];
  for (auto& finding : one["findings"]) {
    finding["schedule"] = schedule_path;
    finding["failure"] = {
        {"text", shown(confirmed.failure.text)},
        {"errors", shown_lines(last_lines(confirmed.errors, kMostJsonLines, ""))},
        {"output", shown_lines(last_lines(confirmed.output, kMostJsonLines, ""))}};
    if (confirmed.failure.kind == FailureKind::kSerial) {
      finding["failure"]["more"] = shown_all(confirmed.differs.more);
      finding["failure"]["fewer"] = shown_all(confirmed.differs.fewer);
    }
    if (!shard_.is_null()) {
      finding["order"] = confirmed.order;
      finding["key"] = confirmed.key;
      finding["schedule_text"] = print_schedule(confirmed.schedule);
    }
    json_["findings"].push_back(finding);
  }
  // One run of the tool, whatever it finds: viewers show the first run, or count each by itself.
  const auto sarif = nlohmann::json::parse(sarif_report(record, confirmed.tables, ISOSAN_VERSION));
  auto& results = sarif_["runs"][0]["results"];
  for (const auto& result : sarif["runs"][0]["results"]) results.push_back(result);
}

void HuntReport::used_corpus(const std::string& folder, const CorpusUse& use) {
  fmt::print("IsoSan: corpus {}: began with {} schedule{}, added {}\n", shown(folder), use.begun,
             use.begun == 1 ? "" : "s", use.added);
}

void HuntReport::compiled_with_optimisation() {
  if (found_ != 0) return;
  fmt::print(
      "IsoSan: compiled with optimisation: accesses that the compiler dropped or made one of were "
      "not hunted; a build at -O0 has all of them\n");
}

void HuntReport::finish(const HuntCounts& counts, const std::string& strategy, double seconds) {
  const std::vector<std::pair<std::string, std::uint64_t>> columns = {
      {"observed", counts.observed},
      {"predicted", counts.predicted},
      {"in-observed-run", counts.in_observed_run},
      {"infeasible", counts.infeasible},
      {"feasible", counts.feasible},
      {"passed", counts.passed},
      {"failed", counts.failed},
      {"again", counts.again},
      {"again-failed", counts.again_failed},
      {"executions", counts.executions},
      {"first-failure", counts.first_failure},
      {"unconfirmed", counts.unconfirmed},
      {"left", counts.left},
      {"pairs", counts.pairs}};
  std::vector<std::string> words;
  for (const auto& [name, value] : columns) {
    words.push_back(fmt::format("{} {}", name, value));
    json_["stats"]["analyses"]["hunt"][name] = value;
  }
  fmt::print("IsoSan: {}: {}; {:.1f} s\n", strategy, fmt::join(words, ", "), seconds);
  fmt::print("SUMMARY: IsoSan: {} failing schedule{}\n", found_, found_ == 1 ? "" : "s");
  if (!shard_.is_null()) json_["shard"] = shard_;  // without it, `isosan merge` sees no result
  write_to(json_path_, json_);
  write_to(sarif_path_, sarif_);
}

}  // namespace isosan
