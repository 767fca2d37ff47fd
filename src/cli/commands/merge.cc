// isosan merge: the results of shards as one result (large-suites.md).
#include "cli/commands/merge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/shown.h"
#include "base/user_error.h"
#include "campaign/hunt_merge.h"
#include "campaign/parts.h"
#include "cli/commands/command.h"
#include "cli/options/report_file.h"
#include "cli/output/exit_status.h"
#include "cli/output/folder.h"
#include "suite/findings/shard_result.h"

namespace isosan {
namespace {

using campaign::HuntMerge;
using campaign::Json;
using campaign::Parts;

// Adds each part. A result of another command is refused.
template <class Merge>
void add_all(const std::vector<std::string>& paths, Parts& parts, Merge& merge) {
  for (const std::string& path : paths) {
    const Json report = parts.read(path);
    if (report.is_null()) continue;
    try {
      merge.add(report);
    } catch (const Json::exception&) {
      throw UserError(fmt::format("{} is a result of another command than the others", path));
    }
  }
}

int status_with(const Parts& parts, int status) {
  std::fflush(stdout);
  for (const std::string& line : parts.problems()) fmt::print(stderr, "isosan: {}\n", shown(line));
  const std::string missing = parts.missing_text();
  if (!missing.empty()) fmt::print(stderr, "isosan: {}\n", missing);
  return missing.empty() && parts.problems().empty() ? status : kExitError;
}

void print(const HuntMerge& merge, const Json& report) {
  for (const Json& finding : report.at("findings")) {
    fmt::print("==================\nERROR: IsoSan: the program fails: {}\n",
               shown(finding.at("failure").at("text").get<std::string>()));
    if (finding.contains("message"))
      fmt::print("  {}\n", shown(finding.at("message").get<std::string>()));
    for (const Json& note : finding.at("notes"))
      fmt::print("  {}\n", shown(note.get<std::string>()));
  }
  const std::size_t found = report.at("findings").size();
  fmt::print("IsoSan: observed {}, predicted {}, executions {}, passed {}, failed {}\n",
             merge.counter("observed"), merge.counter("predicted"), merge.counter("executions"),
             merge.counter("passed"), merge.counter("failed"));
  fmt::print("SUMMARY: IsoSan: {} failing schedule{}\n", found, found == 1 ? "" : "s");
}

int merge_hunts(const MergeArguments& arguments) {
  const SuiteOutputs& paths = arguments.outputs;
  const std::string extra =
      paths.junit + paths.sarif + paths.html + paths.baseline + paths.new_baseline;
  if (!extra.empty())
    throw UserError("of shards of 'isosan hunt' only --json is made; the rest is of 'isosan test'");
  make_folder(arguments.output);
  ReportFile file(paths.json.empty() ? arguments.output + "/result.json" : paths.json);
  Parts parts;
  HuntMerge merge;
  add_all(arguments.results, parts, merge);
  const std::string program = parts.header().at("program");
  const Json report = merge.report(arguments.output, program);
  const std::vector<std::string> schedules = merge.schedules();
  for (std::size_t i = 0; i < schedules.size(); ++i) {
    write_report(fmt::format("{}/{}.{}.schedule", arguments.output, program, i + 1), schedules[i]);
  }
  print(merge, report);
  file.write(nlohmann::json(report).dump(2) + "\n");  // as 'isosan hunt' writes it
  return status_with(parts, schedules.empty() ? kExitClean : kExitFindings);
}

int merge_suites(const MergeArguments& arguments) {
  SuiteOutput output(arguments.outputs, arguments.output);
  output.open();
  Parts parts;
  suite::SuiteMerge merge(std::filesystem::absolute(arguments.output));  // replays run elsewhere
  add_all(arguments.results, parts, merge);
  for (const auto& [path, text] : merge.schedules()) write_report(path, text);
  suite::SuiteResult result = merge.result();
  result.complete = result.complete && parts.missing().empty();
  result.selected = parts.header().at("options").value("selected", false);
  refuse_uninstrumented(result);
  output.compare(result);
  output.write(result, to_json(result));
  return status_with(parts, output.status(result));
}

// A folder stands for its part.*.json: there may be more of them than a command line takes.
std::vector<std::string> expanded(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const std::size_t before = files.size();
    for (const auto& one : fs::directory_iterator(path)) {
      const fs::path& file = one.path();
      if (file.filename().string().starts_with("part.") && file.extension() == ".json")
        files.push_back(file);
    }
    if (files.size() == before) throw UserError(fmt::format("{} has no part.*.json", path));
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

}  // namespace

// By the first one that can be read.
int merge_results(const MergeArguments& arguments) {
  Parts parts;
  for (const std::string& path : arguments.results) {
    const Json report = parts.read(path);
    if (report.is_null()) continue;
    return report.contains("tests") ? merge_suites(arguments) : merge_hunts(arguments);
  }
  throw UserError(fmt::format("nothing to merge: {}", fmt::join(parts.problems(), "; ")));
}

Action declare_merge(CLI::App& parser) {
  auto arguments = std::make_shared<MergeArguments>();
  parser
      .add_option("RESULT", arguments->results,
                  "JSON results of shards (--shard), or a folder with its part.*.json")
      ->required()
      ->type_name("");
  parser
      .add_option("-o", arguments->output,
                  "Folder for the schedules of what was found (default isosan-merged)")
      ->type_name("FOLDER");
  arguments->outputs.declare(parser);
  return [arguments] {
    arguments->results = expanded(arguments->results);
    return merge_results(*arguments);
  };
}

}  // namespace isosan
