// isosan check: analyse a trace.
//
// Batches go straight from the source to each analysis: one virtual call per batch and analysis,
// whatever was chosen. What stood before damage is analysed and reported all the same.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/input_error.h"
#include "cli/analyses.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/reporting.h"
#include "trace/open_trace.h"

namespace isosan {
namespace {

struct CheckOptions {
  std::string trace;
  std::string analysis = std::string(kDefaultAnalysis);
  std::string sync_edges = "on";
  bool lenient = false;
  ReportOptions report;
};

struct Chosen {
  std::string_view name;
  std::unique_ptr<AnyAnalysis> analysis;
};

// Feeds every analysis until it has as many findings as were asked for, or the trace ends.
std::uint64_t analyse(TraceSource& source, const std::vector<Chosen>& chosen, std::uint64_t limit,
                      std::string& error) {
  Progress progress;
  std::vector<AnyAnalysis*> running;
  for (const Chosen& one : chosen) running.push_back(one.analysis.get());
  const auto has_enough = [&](const AnyAnalysis* a) {
    return limit != 0 && a->findings().size() >= limit;
  };
  std::uint64_t events = 0;
  try {
    while (!running.empty()) {
      const std::span<const Event> batch = source.next();
      if (batch.empty()) break;
      for (AnyAnalysis* analysis : running) analysis->feed(batch, events);
      events += batch.size();
      std::erase_if(running, has_enough);
      if (progress.due()) {
        const ReadProgress read = source.progress();
        progress.show(read.bytes_read, read.bytes_total, events);
      }
    }
  } catch (const InputError& damage) {
    error = damage.what();
  }
  for (AnyAnalysis* analysis : running) analysis->finish();
  return events;
}

int check(const CheckOptions& options) {
  const std::vector<const AnalysisEntry*> entries = analyses_named(options.analysis);
  const std::unique_ptr<TraceSource> source =
      open_trace(options.trace, {.lenient = options.lenient});
  Reporter reporter(options.report, stdout);

  std::vector<Chosen> chosen;
  for (const AnalysisEntry* entry : entries) {
    chosen.push_back({entry->name, entry->make({.sync_edges = options.sync_edges == "on",
                                                .tables = &source->tables()})});
  }
  RunRecord run{.input = options.trace};
  const std::uint64_t limit = options.report.limit();
  run.events = analyse(*source, chosen, limit, run.error);
  const PassedOver passed_over = source->passed_over();
  run.passed_over = passed_over.count;
  run.first_passed_over = passed_over.first;
  for (const auto& [name, analysis] : chosen) {
    const std::vector<Finding>& all = analysis->findings();
    const auto shown = limit == 0 ? all.size() : std::min<std::size_t>(limit, all.size());
    run.findings.insert(run.findings.end(), all.begin(), all.begin() + static_cast<long>(shown));
    run.analyses.push_back({std::string(name), analysis->stats()});
  }
  return reporter.report(run, source->tables());
}

}  // namespace

Action declare_check(CLI::App& parser) {
  auto options = std::make_shared<CheckOptions>();
  parser.add_option("TRACE", options->trace, "The trace")->required()->type_name("");
  parser
      .add_option("--analysis", options->analysis,
                  "Analyses, separated by commas (default " + std::string(kDefaultAnalysis) + ")")
      ->type_name("A[,B...]");
  parser
      .add_option("--sync-edges", options->sync_edges,
                  "Do lock, fork/join and similar orders count as dependences? (default on)")
      ->type_name("on|off")
      ->check(CLI::IsMember({"on", "off"}).description(""));
  parser.add_flag("--lenient", options->lenient,
                  "Go on after what is ill-formed or damaged, and count it");
  options->report.declare(parser);
  parser.footer(analyses_help());
  return [options] { return check(*options); };
}

}  // namespace isosan
