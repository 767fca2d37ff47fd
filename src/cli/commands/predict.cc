// isosan predict: predicts atomicity-breaking schedules from one recorded run.
//
// Nothing is run here: `isosan replay` follows a schedule, `isosan hunt` tries them all.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "base/input_error.h"
#include "base/user_error.h"
#include "cli/commands/command.h"
#include "cli/commands/settled_trace.h"
#include "cli/options/number.h"
#include "cli/options/region_options.h"
#include "cli/options/report_file.h"
#include "cli/output/folder.h"
#include "cli/output/prediction_text.h"
#include "cli/output/progress.h"
#include "predict/predictor.h"
#include "spec/region_stage.h"
#include "symbolize/resolve.h"
#include "trace/open_trace.h"
#include "trace/schedule_file.h"

namespace isosan {
namespace {

struct PredictCommand {
  std::string trace;
  std::string directory;
  std::string json;
  std::uint64_t max_schedules = 1000;
  bool all = false;
  bool stats = false;
  RegionOptions regions;
  bool loops = false;
  bool one_variable = false;
};

void read_run(TraceSource& trace, EventSource& source, Predictor& predictor) {
  Progress progress;
  std::uint64_t events = 0;
  for (auto batch = source.next(); !batch.empty(); batch = source.next()) {
    predictor.feed(batch);
    events += batch.size();
    if (progress.due()) {
      const ReadProgress read = trace.progress();
      progress.show(read.bytes_read, read.bytes_total, events);
    }
  }
}

std::string lower(std::string_view name) {
  std::string result(name);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

class Output {
 public:
  Output(const PredictCommand& options, const Predictor& predictor, const Names& names)
      : options_(options), predictor_(predictor), names_(names), json_(options.json) {}

  void add(const Prediction& prediction) {
    ++number_;
    fmt::print("{:>5}  {}{}\n", number_, describe(prediction, names_),
               prediction.in_observed_run ? " (as in the observed run)" : "");
    const std::string file = write(prediction);
    if (!json_.wanted()) return;
    nlohmann::ordered_json json = to_json(prediction, names_);
    if (!file.empty()) json["schedule"] = file;
    predictions_.push_back(std::move(json));
  }

  void finish() {
    const Stats stats = predictor_.stats();
    if (options_.stats) {
      for (const Stat& stat : stats) fmt::print("{}: {}\n", stat.name, stat.value);
    }
    fmt::print("SUMMARY: IsoSan: {} {} predicted{}\n", number_,
               number_ == 1 ? "schedule" : "schedules",
               options_.directory.empty() ? "" : fmt::format(", in {}", options_.directory));
    if (!json_.wanted()) return;
    nlohmann::ordered_json counters;
    for (const Stat& stat : stats) counters[stat.name] = stat.value;
    const nlohmann::ordered_json all{{"version", 1},
                                     {"input", options_.trace},
                                     {"stats", counters},
                                     {"predictions", predictions_}};
    json_.write(all.dump(2) + "\n");
  }

 private:
  // The name of the schedule's file; empty if none is wanted.
  std::string write(const Prediction& prediction) const {
    if (options_.directory.empty()) return "";
    Schedule schedule = predictor_.schedule(prediction);
    schedule.notes.push_back(describe(prediction, names_));
    if (prediction.in_observed_run) schedule.notes.push_back("as in the observed run");
    const std::string path = fmt::format("{}/{:04}-{}.schedule", options_.directory, number_,
                                         lower(name_of(prediction.pattern)));
    write_schedule(schedule, path);
    return path;
  }

  const PredictCommand& options_;
  const Predictor& predictor_;
  const Names& names_;
  std::uint64_t number_ = 0;
  ReportFile json_;
  nlohmann::ordered_json predictions_ = nlohmann::ordered_json::array();
};

int predict(PredictCommand options) {
  const bool whole_threads = !options.regions.given() || options.regions.heuristic == "functions";
  if (!options.regions.given()) options.regions.heuristic = "functions";
  Regions regions(options.regions);
  const std::unique_ptr<TraceSource> trace = open_trace(options.trace);
  SettledTrace settled(*trace, regions, RecordingNeeds{});
  RegionStage source(settled, regions.rules());
  const Tables& tables = source.tables();
  Predictor predictor(tables, {.threads_are_regions = whole_threads,
                               .pairs = !options.one_variable,
                               .loops = options.loops});
  read_run(*trace, source, predictor);
  regions.refuse_unmatched(tables);
  if (!options.directory.empty()) make_folder(options.directory);
  const std::vector<Prediction> predictions =
      predictor.predictions({.predictions = options.all ? 0 : options.max_schedules,
                             .per_place = options.all ? 0 : PredictLimits{}.per_place});
  std::vector<Finding> findings;
  for (const Prediction& prediction : predictions) findings.push_back(as_finding(prediction));
  resolve_places(findings, source.tables());
  const Names names(tables);
  Output output(options, predictor, names);
  for (const Prediction& prediction : predictions) output.add(prediction);
  output.finish();
  return 0;
}

}  // namespace

Action declare_predict(CLI::App& parser) {
  auto options = std::make_shared<PredictCommand>();
  parser.add_option("TRACE", options->trace, "The trace, recorded in full mode")
      ->required()
      ->type_name("");
  parser.add_option("-o", options->directory, "Write the schedules here, one file each")
      ->type_name("DIR");
  parser.add_option("--max-schedules", options->max_schedules, "Stop after N (default 1000)")
      ->type_name("N")
      ->check(whole_number(1));
  parser.add_flag("--all", options->all,
                  "All of them, also those at the same places in other threads and locations");
  parser.add_option("--json", options->json, "Write the predictions to FILE as JSON")
      ->type_name("FILE");
  parser.add_flag("--stats", options->stats, "Print counters");
  options->regions.declare(parser);
  parser.add_flag("--loops", options->loops, "Iterations of loops should be atomic, too");
  parser.add_flag("--one-variable", options->one_variable,
                  "Patterns over one variable only, as in the paper: no pairs");
  parser.footer("Without options for regions: all functions, main and thread entries included.");
  return [options] { return predict(*options); };
}

}  // namespace isosan
