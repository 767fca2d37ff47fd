#include "cli/output/reporting.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/report_path.h"
#include "base/shown.h"
#include "base/user_error.h"
#include "cli/options/number.h"
#include "cli/options/option_groups.h"
#include "report/fold.h"
#include "report/json.h"
#include "report/names.h"
#include "report/sarif.h"
#include "report/text.h"

namespace isosan {
namespace {

// A device is never overwritten: it may be input and output.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code none;
  if (a.empty() || b.empty() || std::filesystem::is_character_file(a, none)) return false;
  return a == b || std::filesystem::equivalent(a, b, none);
}

const ReportOptions& without_overwriting(const ReportOptions& options, const std::string& input) {
  for (const std::string& output : {options.json, options.sarif}) {
    if (is_same_file(output, input)) {
      throw UserError(fmt::format("{} is the input: the report must go elsewhere", output));
    }
  }
  if (is_same_file(options.json, options.sarif)) {
    throw UserError(fmt::format("{}: JSON and SARIF cannot go to the same file", options.json));
  }
  return options;
}

std::string text_stats(const RunRecord& run) {
  std::string text = fmt::format("STATS: {} events\n", run.events);
  for (const AnalysisStats& one : run.analyses) {
    for (const Stat& stat : one.stats) {
      text += fmt::format("STATS: {} {} {}\n", one.analysis, stat.name, stat.value);
    }
  }
  return text;
}

}  // namespace

void ReportOptions::declare(CLI::App& parser) {
  const option_group::Scope report(parser, option_group::kReport);
  parser.add_option("--json", json, "Write the findings to FILE as JSON (docs/reference/json.md)")
      ->type_name("FILE");
  parser.add_option("--sarif", sarif, "Write the findings to FILE as SARIF 2.1.0")
      ->type_name("FILE");
  parser.add_flag("--stats", stats, "Print the counters of the analyses");
  parser.add_flag("--all", all,
                  "Report every cycle that blames a region, not only the shortest, and what is "
                  "hardly ever a bug");
  const option_group::Scope more(parser, option_group::kMore);
  parser.add_option("--exit-code", exit_code, "Exit status when there are findings (default 66)")
      ->type_name("N")
      ->check(whole_number(0, 255));
  parser.add_flag("--first", first, "Stop each analysis at its first finding");
  parser.add_option("--max-findings", max_findings, "Stop each analysis at its N-th finding")
      ->type_name("N")
      ->check(whole_number(1));
}

void ReportOptions::name_files(const std::string& program) {
  json = report_path(json, program);
  sarif = report_path(sarif, program);
}

Reporter::Reporter(const ReportOptions& options, std::FILE* text, const std::string& input)
    : options_(without_overwriting(options, input)),
      text_(text),
      json_(options.json),
      sarif_(options.sarif) {}

void Reporter::print_text(const RunRecord& run, const Tables& tables) {
  const Colour colour = isatty(fileno(text_)) == 1 ? Colour::kTerminal : Colour::kNever;
  SourceLines source(tables, run.quotes_source);
  if (run.joined) fmt::print(text_, "IsoSan: process {}: {}\n", run.pid, shown(run.input));
  for (const Finding& finding : run.findings) {
    if (run.told.contains(cause_of(finding))) {
      const std::string ratio = text_of(finding.executions);
      fmt::print(text_, "IsoSan: reported above: {} [{}], seen {}{}{}\n",
                 shown(Names(tables).subject(finding)), finding.analysis,
                 finding.times == 1 ? "once" : fmt::format("{} times", finding.times),
                 ratio.empty() ? "" : ", ", ratio);
      continue;
    }
    fmt::print(text_, "{}\n", text_report(finding, tables, colour, &run.evidence, &source));
  }
  if (run.passed_over != 0) {
    fmt::print(text_, "Passed over: {}, the first: {}\n", run.passed_over,
               shown(run.first_passed_over));
  }
  if (options_.stats) fmt::print(text_, "{}", text_stats(run));
  fmt::print(text_, "{}{}", text_footer(run), text_summary(run, colour));
  if (std::fflush(text_) != 0) {
    throw UserError(fmt::format("cannot write the report: {}", std::strerror(errno)));
  }
}

int Reporter::report(const RunRecord& run, const Tables& tables) {
  print_text(run, tables);
  if (json_.wanted()) json_.write(json_report(run, tables));
  if (sarif_.wanted()) sarif_.write(sarif_report(run, tables, ISOSAN_VERSION));
  if (!run.error.empty()) {
    fmt::print(stderr, "isosan: {}\n", shown(run.error));
    return kExitError;
  }
  for (const WatchedProcess& process : run.processes) {
    if (!process.error.empty()) return kExitError;
  }
  return findings_of_run(run) == 0 ? kExitClean : options_.exit_code;
}

}  // namespace isosan
