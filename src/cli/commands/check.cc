// isosan check: analyse a trace.
#include <memory>
#include <string>

#include "cli/commands/command.h"
#include "cli/commands/trace_check.h"
#include "cli/options/doublechecker_options.h"
#include "cli/options/option_groups.h"
#include "cli/options/region_options.h"
#include "cli/output/reporting.h"
#include "report/fold.h"

namespace isosan {
namespace {

struct CheckOptions {
  std::string trace;
  AnalysisOptions analyses;
  std::string sync_edges = "on";
  bool lenient = false;
  bool quote_source = false;
  DoubleCheckerFlags doublechecker;
  RegionOptions regions;
  ReportOptions report;
};

int check(CheckOptions& options) {
  options.report.name_files(options.trace);
  if (needs_of(options.analyses.names).each.units) options.regions.without_heuristic();
  Regions regions(options.regions);
  DoubleCheckerRun mode(options.doublechecker, options.analyses);
  options.analyses.sync_edges = options.sync_edges == "on";
  TraceCheck check({.path = options.trace,
                    .trace = {.lenient = options.lenient, .walks = true},
                    .filter = mode.filter(),
                    .limit = options.report.limit(),
                    .reads_source = options.quote_source},
                   options.analyses, regions);
  Reporter reporter(options.report, stdout, options.trace);
  RunRecord run = check.run();
  run.quotes_source = options.quote_source;
  write_sets_file(options.analyses.sets, check.session().sets());
  mode.finish(check.stage().tables());
  if (!options.report.all) fold_findings(run, check.stage().tables());
  return reporter.report(run, check.stage().tables());
}

}  // namespace

Action declare_check(CLI::App& parser) {
  auto options = std::make_shared<CheckOptions>();
  parser.add_option("TRACE", options->trace, "The trace")->required()->type_name("");
  options->analyses.declare(parser);
  parser
      .add_option("--sync-edges", options->sync_edges,
                  "Do lock, fork/join and similar orders count as dependences? (default on)")
      ->type_name("on|off")
      ->group(option_group::kMore)
      ->check(CLI::IsMember({"on", "off"}).description(""));
  parser.add_flag("--lenient", options->lenient,
                  "Go on after what is ill-formed or damaged, and count it");
  parser.add_flag("--quote-source", options->quote_source,
                  "Show lines of the source files that the trace names");
  options->doublechecker.declare(parser);
  options->regions.declare(parser);
  options->report.declare(parser);
  return [options] { return check(*options); };
}

}  // namespace isosan
