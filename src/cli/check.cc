// isosan check: analyse a trace.
//
// What stood before damage is analysed and reported all the same.
#include <filesystem>
#include <memory>
#include <string>

#include "base/input_error.h"
#include "cli/command.h"
#include "cli/doublechecker_options.h"
#include "cli/progress.h"
#include "cli/region_options.h"
#include "cli/reporting.h"
#include "cli/run_summary.h"
#include "cli/session.h"
#include "cli/settled_trace.h"
#include "spec/region_stage.h"
#include "trace/open_trace.h"

namespace isosan {
namespace {

struct CheckOptions {
  std::string trace;
  AnalysisOptions analyses;
  std::string sync_edges = "on";
  bool lenient = false;
  DoubleCheckerFlags doublechecker;
  RegionOptions regions;
  ReportOptions report;
};

// Feeds the session until it has enough or the trace ends. What stood before damage counts.
void analyse(TraceSource& trace, EventSource& source, Session& session, std::string& error) {
  Progress progress;
  try {
    while (session.wants_more()) {
      const std::span<const Event> batch = source.next();
      if (batch.empty()) break;
      session.feed(batch);
      if (progress.due()) {
        const ReadProgress read = trace.progress();
        progress.show(read.bytes_read, read.bytes_total, session.events());
      }
    }
  } catch (const InputError& damage) {
    error = damage.what();
  }
  session.finish();
}

// A pipe can be read only once.
EvidenceFrom evidence_from(const CheckOptions& options) {
  return std::filesystem::is_regular_file(options.trace) ? EvidenceFrom::kSecondReading
                                                         : EvidenceFrom::kRun;
}

void look_up_evidence(const CheckOptions& options, const Regions& regions,
                      const DoubleCheckerRun& mode, Session& session) {
  const std::unique_ptr<TraceSource> again =
      open_trace(options.trace, {.lenient = options.lenient, .walks = true});
  RegionStage stage(*again, regions.rules());
  leave_out_unwanted(stage, options.analyses.names);
  AccessFilter source(stage, mode.filter());
  try {
    session.look_up(source);
  } catch (const InputError&) {
    // The damage is in the record already; what stood before it is looked up.
  }
}

int check(CheckOptions& options) {
  if (wants_only_units(options.analyses.names)) options.regions.without_heuristic();
  Regions regions(options.regions);
  DoubleCheckerRun mode(options.doublechecker, options.analyses);
  const std::unique_ptr<TraceSource> trace =
      open_trace(options.trace, {.lenient = options.lenient, .walks = true});
  Reporter reporter(options.report, stdout);
  SettledTrace settled(*trace, regions,
                       wants_units(options.analyses.names) ? RecordingNeeds::kEveryEdge
                                                           : RecordingNeeds::kSelection);
  RegionStage stage(settled, regions.rules());
  leave_out_unwanted(stage, options.analyses.names);
  AccessFilter source(stage, mode.filter());
  options.analyses.sync_edges = options.sync_edges == "on";
  options.analyses.tables = &stage.tables();
  Session session(options.analyses, options.report.limit(), evidence_from(options));
  RunRecord run{.input = options.trace};
  analyse(*trace, source, session, run.error);
  if (run.error.empty() && session.wants_more()) regions.refuse_unmatched(stage.tables());
  const PassedOver passed_over = trace->passed_over();
  run.passed_over = passed_over.count;
  run.first_passed_over = passed_over.first;
  if (session.wants_second_reading()) look_up_evidence(options, regions, mode, session);
  session.tell(run);
  write_sets_file(options.analyses.sets, session.sets());
  mode.finish(stage.tables());
  regions.apply_suppressions(run, stage.tables());
  summarize_run(run, stage, regions);
  return reporter.report(run, stage.tables());
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
      ->check(CLI::IsMember({"on", "off"}).description(""));
  parser.add_flag("--lenient", options->lenient,
                  "Go on after what is ill-formed or damaged, and count it");
  options->doublechecker.declare(parser);
  options->regions.declare(parser);
  options->report.declare(parser);
  return [options] { return check(*options); };
}

}  // namespace isosan
