#include "cli/commands/trace_check.h"

#include <filesystem>
#include <utility>

#include "base/input_error.h"
#include "base/user_error.h"
#include "cli/options/atomizer_rules.h"
#include "cli/options/doublechecker_options.h"
#include "cli/options/unit_calls.h"
#include "cli/output/progress.h"
#include "cli/output/run_summary.h"
#include "trace/open_trace.h"

namespace isosan {
namespace {

// An analysis that needs every access (atomizer) has findings in most traces.
EvidenceFrom evidence_from(const std::string& path, const AnalysisOptions& analyses) {
  if (!std::filesystem::is_regular_file(path)) return EvidenceFrom::kRun;
  return needs_of(analyses.names).some.every_access ? EvidenceFrom::kRunThenReading
                                                    : EvidenceFrom::kSecondReading;
}

RecordingNeeds recording_needs(const AnalysisOptions& analyses) {
  const JointNeeds joint = needs_of(analyses.names);
  RecordingNeeds needs{.only_cycles = joint.each.cycles, .every_edge = joint.some.units};
  if (joint.each.units) needs.units = unit_selection(analyses.sets.rules());
  return needs;
}

}  // namespace

TraceCheck::TraceCheck(Input input, AnalysisOptions& analyses, Regions& regions)
    : input_(std::move(input)),
      analyses_(analyses),
      regions_(regions),
      trace_(open_trace(input_.path, input_.trace)),
      settled_(*trace_, regions, recording_needs(analyses)),
      stage_(settled_, regions.rules()),
      source_(stage_, input_.filter),
      session_(prepared(analyses), input_.limit, evidence_from(input_.path, analyses)) {
  leave_out_unneeded(stage_, needs_of(analyses.names));
}

AnalysisOptions& TraceCheck::prepared(AnalysisOptions& analyses) const {
  analyses.tables = &stage_.tables();
  tell_atomizer(regions_, stage_.tables(), input_.reads_source,
                std::get<AtomizerOptions>(analyses.own));
  count_suspects(input_.filter, stage_.tables(), std::get<DoubleCheckerOptions>(analyses.own));
  return analyses;
}

RunRecord TraceCheck::run() {
  RunRecord run{.input = input_.path};
  analyse(run.error);
  if (run.error.empty() && session_.wants_more()) {
    run.unmatched = regions_.unmatched(stage_.tables());
    if (input_.refuses_unmatched && !run.unmatched.empty()) throw UserError(run.unmatched.front());
  }
  const PassedOver passed_over = trace_->passed_over();
  run.passed_over = passed_over.count;
  run.first_passed_over = passed_over.first;
  if (session_.needs_second_reading()) look_up_evidence();
  session_.fill(run);
  regions_.apply_suppressions(run, stage_.tables());
  summarize_run(run, stage_, regions_);
  return run;
}

void TraceCheck::analyse(std::string& error) {
  Progress progress;
  try {
    while (session_.wants_more()) {
      const std::span<const Event> batch = source_.next();
      if (batch.empty()) break;
      session_.feed(batch);
      if (progress.due()) {
        const ReadProgress read = trace_->progress();
        progress.show(read.bytes_read, read.bytes_total, session_.events());
      }
    }
  } catch (const InputError& damage) {
    error = damage.what();
  }
  session_.finish();
}

void TraceCheck::look_up_evidence() {
  const std::unique_ptr<TraceSource> again = open_trace(input_.path, input_.trace);
  RegionStage stage(*again, regions_.rules());
  leave_out_unneeded(stage, needs_of(analyses_.names));
  AccessFilter source(stage, input_.filter);
  try {
    session_.look_up(source);
  } catch (const InputError&) {
    // The damage is in the record already; evidence before it was looked up.
  }
}

}  // namespace isosan
