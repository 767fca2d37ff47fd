// isosan refine: derives an atomicity specification (DoubleChecker, Fig. 6).
//
// Model: all methods are atomic, except those that the default leaves out (main, thread entries,
// functions that wait or notify) and those blamed so far. Trials run until so many in a
// row blame no new function. A blamed function is removed from the specification at once, with the
// reason, and the file is written again. So the file is always valid, and a stopped refinement
// continues from it. A trial is a run of isosan in a process of its own.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/report_path.h"
#include "base/shown.h"
#include "base/unnamed_file.h"
#include "base/user_error.h"
#include "cli/commands/command.h"
#include "cli/options/noise_option.h"
#include "cli/options/number.h"
#include "cli/output/exit_status.h"
#include "live/child.h"
#include "spec/refined_spec.h"

namespace isosan {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct RefineOptions {
  std::vector<std::string> command;
  std::string output;
  std::string analysis = "doublechecker";
  bool multi = false;
  std::uint64_t trials = 10;
  std::uint64_t jobs = 1;
  NoiseOption noise;
};

class Scratch {  // a temporary folder
 public:
  Scratch() {
    std::string pattern = std::string(temporary_folder()) + "/isosan-refine-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr)
      throw UserError(
          fmt::format("cannot make a folder in {}: {}", temporary_folder(), std::strerror(errno)));
    path_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string place_of(const json& step) {
  const json place = step.value("place", json::object());
  if (!place.contains("file")) return "";
  return fmt::format("{}:{}", fs::path(place["file"].get<std::string>()).filename().string(),
                     place.value("line", 0));
}

// The other transactions of the cycle, and where its steps are.
std::string reason_of(const json& finding, std::uint64_t trial) {
  std::set<std::string> partners;
  for (const json& tx : finding.at("transactions")) {
    if (tx.value("blamed", false)) continue;
    const json& region = tx.at("region");
    partners.insert(region.is_null() ? "code outside regions" : region.get<std::string>());
  }
  std::vector<std::string> places;
  for (const json& step : finding.at("steps")) {
    const std::string place = place_of(step);
    if (!place.empty() && std::ranges::find(places, place) == places.end()) places.push_back(place);
  }
  return fmt::format(
      "trial {}: {} stepped in; {}", trial,
      partners.empty() ? "another run of it" : fmt::format("{}", fmt::join(partners, ", ")),
      fmt::join(places, ", "));
}

class Refinement {
 public:
  explicit Refinement(const RefineOptions& options)
      : options_(options), exclusions_(read_refined_spec(options.output)) {
    for (const Exclusion& each : exclusions_) excluded_.insert(each.function);
    if (!exclusions_.empty()) {
      fmt::print(stderr, "isosan refine: going on with the {} exclusions of {}\n",
                 exclusions_.size(), options.output);
    }
    write_refined_spec(options_.output, exclusions_);
  }

  int run() {
    std::uint64_t quiet = 0;
    while (quiet < options_.trials) {
      const std::uint64_t count = std::min(options_.jobs, options_.trials - quiet);
      const std::size_t before = exclusions_.size();
      run_round(count);
      quiet = exclusions_.size() > before ? 0 : quiet + count;
      fmt::print(stderr,
                 "isosan refine: {} trials, {} exclusions, {} of {} in a row without a new one\n",
                 trials_, exclusions_.size(), quiet, options_.trials);
    }
    for (const std::string& name : blocks_) {
      fmt::print(stderr,
                 "isosan refine: '{}' is blamed and is no function: annotate it otherwise\n", name);
    }
    return kExitClean;
  }

 private:
  std::vector<std::string> isosan(std::uint64_t trial, std::vector<std::string> arguments) const {
    std::vector<std::string> command{
        fs::read_symlink("/proc/self/exe").string(), "run", "--spec", spec_, "--exit-code", "66"};
    if (!options_.noise.text.empty()) {
      command.insert(command.end(), {"--noise", options_.noise.for_run(trial).text});
    }
    command.insert(command.end(), arguments.begin(), arguments.end());
    command.push_back("--");
    command.insert(command.end(), options_.command.begin(), options_.command.end());
    return command;
  }

  // The last of the commands writes its findings to `report`.
  std::vector<std::vector<std::string>> commands_of(std::uint64_t trial, const std::string& report,
                                                    const std::string& suspects) const {
    if (!options_.multi) {
      return {isosan(trial, {"--analysis", options_.analysis, "--json", literal_path(report)})};
    }
    return {
        isosan(trial, {"--analysis", "doublechecker", "--mode", "first", "--suspects", suspects}),
        isosan(trial, {"--analysis", "doublechecker", "--mode", "second", "--suspects", suspects,
                       "--json", literal_path(report)})};
  }

  // `count` trials side by side.
  void run_round(std::uint64_t count) {
    spec_ = scratch_.file("spec.toml");  // a copy: it does not change while they run
    write_refined_spec(spec_, exclusions_);
    std::vector<std::string> reports;
    std::vector<std::vector<std::vector<std::string>>> lanes;
    for (std::uint64_t i = 0; i < count; ++i) {
      reports.push_back(scratch_.file(fmt::format("report-{}.json", i)));
      fs::remove(reports.back());
      lanes.push_back(
          commands_of(trials_ + i, reports.back(), scratch_.file(fmt::format("suspects-{}", i))));
    }
    for (std::size_t step = 0; step < lanes.front().size(); ++step) run_side_by_side(lanes, step);
    for (const std::string& report : reports) take(report);
  }

  void run_side_by_side(const std::vector<std::vector<std::vector<std::string>>>& lanes,
                        std::size_t step) {
    const std::string said = scratch_.file("said");
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(std::fopen(said.c_str(), "w"),
                                                                 &std::fclose);
    const int fd = ::fileno(output.get());
    std::vector<std::unique_ptr<Child>> children;
    for (const auto& lane : lanes) {
      children.push_back(std::make_unique<Child>(
          lane[step],
          ChildOptions{.output_fd = fd, .error_fd = fd, .no_input = true, .environment = {}}));
    }
    for (const auto& child : children) {
      while (!child->poll()) ::usleep(2000);
    }
  }

  void take(const std::string& report) {
    ++trials_;
    std::ifstream file(report);
    const json read = json::parse(file, nullptr, false);
    if (read.is_discarded()) without_report();
    for (const json& finding : read.at("findings")) {
      const std::string region = finding.at("region").get<std::string>();
      if (region.empty()) continue;
      if (finding.value("block", false)) {
        blocks_.insert(region);
      } else if (excluded_.insert(region).second) {
        exclude(region, reason_of(finding, trials_));
      }
    }
  }

  [[noreturn]] void without_report() const {
    std::ifstream said(scratch_.file("said"));
    std::string line, last;
    while (std::getline(said, line)) {
      if (line.starts_with("isosan: ")) last = line.substr(8);
    }
    throw UserError(fmt::format("a trial gave no report; it said: {}", last));
  }

  void exclude(const std::string& region, const std::string& reason) {
    exclusions_.push_back({region, reason});
    write_refined_spec(options_.output, exclusions_);
    fmt::print(stderr, "isosan refine: not atomic: {} ({})\n", shown(region), shown(reason));
  }

  const RefineOptions& options_;
  Scratch scratch_;
  std::string spec_;
  std::vector<Exclusion> exclusions_;
  std::set<std::string> excluded_;
  std::set<std::string> blocks_;  // blamed; a specification cannot exclude blocks
  std::uint64_t trials_ = 0;
};

}  // namespace

Action declare_refine(CLI::App& parser) {
  auto options = std::make_shared<RefineOptions>();
  declare_program(parser, options->command);
  parser
      .add_option("-o", options->output,
                  "The spec file to write; one that is there is gone on with")
      ->required()
      ->type_name("SPEC");
  parser
      .add_option("--trials", options->trials,
                  "Stop when so many trials in a row blame nobody new (default 10)")
      ->type_name("N")
      ->check(whole_number(1));
  parser.add_option("--jobs", options->jobs, "Trials side by side (default 1)")
      ->type_name("N")
      ->check(whole_number(1, 256));
  parser.add_option("--analysis", options->analysis, "What a trial runs (default doublechecker)")
      ->type_name("doublechecker|velodrome|aerodrome|atomsanitizer")
      ->check(CLI::IsMember({"doublechecker", "velodrome", "aerodrome", "atomsanitizer"})
                  .description(""));
  options->noise.declare(parser);
  parser.add_flag(
      "--multi", options->multi,
      "A trial is a first and a second run of doublechecker (docs/analyses/doublechecker.md)");
  return [options] { return Refinement(*options).run(); };
}

}  // namespace isosan
