#include "suite/run/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/report_path.h"
#include "suite/run/watched.h"

namespace isosan::suite {
namespace {

// Analyses that can say who is to blame in the run that failed.
constexpr char kExplaining[] = "velodrome,marathon,atomizer,fasttrack";
constexpr double kLeastHang = 10;  // seconds of a forced run
constexpr double kSlower = 20;     // than the watched one, before it hangs

// Null: there is none, or it is not whole.
Json read_report(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const Json json = Json::parse(file, nullptr, false);
  return json.is_discarded() ? Json() : json;
}

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<long>(seconds * 1000));
}

}  // namespace

double Steps::limit_of(const TestCase& test) const {
  return test.seconds > 0 ? test.seconds : options_.seconds;
}

ProcessOutcome Steps::isosan(const TestCase& test, std::vector<std::string> words,
                             std::chrono::milliseconds limit, int cpu) const {
  words.insert(words.begin(), options_.isosan);
  words.insert(words.end(), options_.run_options.begin(), options_.run_options.end());
  words.push_back("--");
  words.insert(words.end(), test.command.begin(), test.command.end());
  auto environment = test.environment;
  environment.emplace_back(kTestVariable, test.name);
  return run_process({.command = std::move(words),
                      .folder = test.folder,
                      .environment = std::move(environment),
                      .limit = limit,
                      .cpu = cpu},
                     stop_);
}

void Steps::watch(Progressing& one) const {
  const std::string path = one.file + ".watch.json";
  std::filesystem::remove(path);
  const ProcessOutcome outcome =
      isosan(*one.test, {"run", "--end-deadlock", "--json", literal_path(path)},
             milliseconds(limit_of(*one.test)), -1);
  if (outcome.stopped) return;
  const Json report = read_report(path);
  read_watch(one.result, *one.test, report, outcome);
  one.modules = modules_of(report);
  one.seen = sightings_of(one.test->name, report);
}

void Steps::hunt(Progressing& one, std::chrono::seconds budget, int cpu) const {
  const std::string path = one.file + ".hunt.json";
  std::filesystem::remove(path);
  const double hang =
      std::min(limit_of(*one.test), std::max(kLeastHang, kSlower * one.result.seconds));
  std::vector<std::string> words = {"hunt",
                                    "-o",
                                    one.file,
                                    "--json",
                                    literal_path(path),
                                    "--budget",
                                    fmt::format("{}s", budget.count()),
                                    "--timeout",
                                    fmt::format("{:.0f}", std::ceil(hang))};
  if (!one.corpus.empty()) words.insert(words.end(), {"--corpus", one.corpus});
  const ProcessOutcome outcome = isosan(
      *one.test, std::move(words), milliseconds(static_cast<double>(budget.count()) + 60), cpu);
  const Json report = read_report(path);
  one.result.schedules = schedules_of(report);
  one.result.seconds += outcome.took.count();
  one.failures = failures_of(*one.test, report);
  one.result.hunted =
      !report.is_null() && outcome.status != kCannot && outcome.status != kNothingSeen;
  if (outcome.status == kNothingSeen) {
    one.result.verdict = Verdict::kError;
    one.result.note = "not hunted: " + complaint(outcome.errors);
  }
  if (outcome.status == kCannot && one.result.note.empty())
    one.result.note = "not hunted: " + complaint(outcome.errors);
  for (Sighting& failure : one.failures) explain(one, failure, cpu);
  one.hunt_done = !outcome.stopped && !outcome.timed_out && tried_all(report);
}

void Steps::explain(const Progressing& one, Sighting& failure, int cpu) const {
  const std::string path = one.file + ".explain.json";
  std::filesystem::remove(path);
  // It did fail, so any function may be the reason, whatever it uses.
  std::vector<std::string> words = {
      "run",        "--analysis",     kExplaining, "--regions",       "broad",
      "--schedule", failure.schedule, "--json",    literal_path(path)};
  for (const char* fixed : {"--fix-time", "--fix-random"}) {
    if (failure.replay.find(fmt::format(" {} ", fixed)) != std::string::npos)
      words.push_back(fixed);
  }
  isosan(*one.test, std::move(words), milliseconds(limit_of(*one.test)), cpu);
  const Json report = read_report(path);
  if (report.is_null()) return;
  for (const Json& finding : report.at("findings")) failure.explanations.push_back(finding);
}

}  // namespace isosan::suite
