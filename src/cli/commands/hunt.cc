// isosan hunt: searches for a schedule in which a passing test fails.
#include "hunt/hunt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/report_path.h"
#include "base/user_error.h"
#include "cli/commands/command.h"
#include "cli/commands/slurm_campaign.h"
#include "cli/options/budget.h"
#include "cli/options/harness_options.h"
#include "cli/options/number.h"
#include "cli/options/region_options.h"
#include "cli/options/shard_option.h"
#include "cli/output/exit_status.h"
#include "cli/output/folder.h"
#include "cli/output/hunt_report.h"
#include "cli/output/regression_test.h"
#include "spec/selection.h"
#include "trace/schedule_file.h"

namespace isosan {
namespace {

struct HuntArguments {
  std::vector<std::string> command;
  std::string strategy;
  std::string budget = "60s";
  std::uint64_t max_schedules = kNoLimit;
  bool all = false;
  unsigned jobs = 1;
  unsigned observe = 300;
  std::uint64_t seed = 1;
  HarnessOptions harness{.timeout = 10, .expect_output = {}, .fail_if = {}};
  std::string output = ".";
  std::string json, sarif;
  RegionOptions regions;
  bool loops = false;
  std::string shard, corpus;
  std::string test;  // the name of the test that a finding becomes; empty: none is wanted
  SlurmOptions slurm;
};

constexpr std::string_view kDefaultOfShards = "penelope";

// Shards know nothing of each other: a strategy that learns from single runs cannot be split.
void choose_strategy(HuntArguments& arguments) {
  const bool splits = !arguments.shard.empty() || arguments.slurm.wanted();
  if (arguments.strategy.empty()) arguments.strategy = splits ? kDefaultOfShards : kDefaultStrategy;
  if (splits && arguments.strategy == kDefaultStrategy) {
    throw UserError(
        fmt::format("--strategy {} learns from single runs, and cannot be split by --shard; {} can",
                    kDefaultStrategy, kDefaultOfShards));
  }
}

void show_progress(const HuntCounts& counts, std::chrono::steady_clock::time_point began) {
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began);
  fmt::print(stderr, "\risosan hunt: {} schedules, {} feasible, {} failed, {} left, {} s ",
             counts.executions, counts.feasible, counts.failed, counts.left, seconds.count());
  std::fflush(stderr);
}

// The default: every function, thread entries included.
RegionOptions with_default(RegionOptions regions) {
  if (!regions.given()) regions.heuristic = "functions";
  return regions;
}

bool takes_whole_threads(const RegionOptions& regions) {
  return !regions.given() || regions.heuristic == "functions";
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// What has to be the same for two shards to be of one campaign, besides the program.
nlohmann::json options_of(const HuntArguments& arguments, const Regions& regions,
                          const HuntResult& result) {
  return {{"strategy", arguments.strategy},
          {"max-schedules", arguments.max_schedules},
          {"all", arguments.all},
          {"observe", arguments.observe},
          {"seed", arguments.seed},
          {"loops", arguments.loops},
          {"corpus", result.corpus.identity},
          {"regions", selection_text(selection_of(regions.rules()))},
          {"judge", arguments.harness.as_options()},
          {"arguments", std::vector(arguments.command.begin() + 1, arguments.command.end())}};
}

// "bank.1.schedule"; of a shard "bank.3-of-7.1.schedule"; of a test "lost_update.schedule".
std::string schedule_name(const HuntArguments& arguments, const Shard& shard, std::size_t number) {
  if (!arguments.test.empty())
    return fmt::format("{}/{}.schedule", arguments.output, test_name(arguments.test, number));
  const std::string part =
      arguments.shard.empty() ? "" : fmt::format(".{}-of-{}", shard.index, shard.count);
  return fmt::format("{}/{}{}.{}.schedule", arguments.output, base_name(arguments.command[0]), part,
                     number);
}

RegressionTest test_of(const HuntArguments& arguments, const ConfirmedFailure& found,
                       std::size_t number) {
  HarnessOptions judge = arguments.harness;  // ctest runs the test in another folder
  if (!judge.expect_output.empty())
    judge.expect_output = std::filesystem::absolute(judge.expect_output);
  return {.name = test_name(arguments.test, number),
          .folder = arguments.output,
          .failure = found.failure.text,
          .command = arguments.command,
          .options = judge.as_words()};
}

int hunt_on_slurm(const HuntArguments& arguments) {
  if (!arguments.shard.empty()) throw UserError("--slurm makes the shards itself, without --shard");
  if (!arguments.test.empty()) throw UserError("--emit-test is for a hunt on one machine");
  if (!arguments.sarif.empty())
    throw UserError("of a campaign of 'isosan hunt' only --json is made, not --sarif");
  if (!arguments.corpus.empty() && !arguments.slurm.resume)
    Corpus(arguments.corpus).take_in_added();
  SuiteOutputs outputs;
  outputs.json = report_path(arguments.json, arguments.command[0]);
  return run_on_slurm(arguments.slurm, arguments.output, !arguments.all, outputs);
}

// What the hunt has fixed is fixed in its replays, too.
void note_fixed(std::uint32_t fixed, HuntArguments& arguments, HuntReport& report) {
  if (fixed == 0) return;
  WorldOptions added;
  added.fix(fixed);
  arguments.harness.world.fix(fixed);
  report.warn(
      fmt::format("another run of the program differed: it is hunted with {}", added.as_options()));
  report.replays_with(" " + added.as_options());
}

int hunt_program(HuntArguments arguments) {
  if (arguments.slurm.wanted()) return hunt_on_slurm(arguments);
  if (arguments.slurm.resume) throw UserError("--resume goes on with a campaign: with --slurm");
  const Regions regions(with_default(arguments.regions));
  HuntOptions options{.harness = arguments.harness.harness(arguments.command),
                      .strategy = arguments.strategy,
                      .budget = parse_budget(arguments.budget),
                      .max_schedules = arguments.max_schedules,
                      .all = arguments.all,
                      .jobs = arguments.jobs,
                      .observe = arguments.observe,
                      .seed = arguments.seed,
                      .shard = parse_shard(arguments.shard),
                      .corpus = arguments.corpus,
                      .keeps_tried = !arguments.json.empty(),
                      .rules = &regions.rules(),
                      .threads_are_regions = takes_whole_threads(arguments.regions),
                      .loops = arguments.loops,
                      .check_tables = [&](const Tables& t) { regions.refuse_unmatched(t); },
                      .progress = {}};
  regions.refuse_unmatched_before(arguments.command[0]);
  make_folder(arguments.output);
  HuntReport report(report_path(arguments.json, arguments.command[0]),
                    report_path(arguments.sarif, arguments.command[0]),
                    arguments.harness.as_options());
  const bool terminal = ::isatty(2) == 1;
  const auto began = std::chrono::steady_clock::now();
  if (terminal) {
    options.progress = [&](const HuntCounts& counts) { show_progress(counts, began); };
  }
  HuntResult result = hunt(options);
  if (terminal) fmt::print(stderr, "\r\x1b[K");
  if (result.nothing_seen) {
    fmt::print(stderr, "isosan: {}\n", result.cannot);
    return kExitNothingSeen;
  }
  if (!result.cannot.empty()) throw UserError(result.cannot);
  if (!arguments.shard.empty()) {
    report.of_shard(shard_header(options.shard, base_name(arguments.command[0]), result.build_ids,
                                 options_of(arguments, regions, result)));
  }
  note_fixed(result.fixed, arguments, report);
  if (!result.diverged.empty()) report.warn(result.diverged);
  for (const std::string& one : result.unconfirmed) report.warn(one);
  for (const std::string& one : result.corpus.problems) report.warn(one);
  if (!result.stopped.empty()) report.stopped(result.stopped);
  for (std::size_t i = 0; i < result.found.size(); ++i) {
    const std::string path = schedule_name(arguments, options.shard, i + 1);
    write_schedule(result.found[i].schedule, path);
    if (!arguments.test.empty()) write_test(test_of(arguments, result.found[i], i + 1));
    report.add(result.found[i], path, arguments.command);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  report.add_tried(result.tried);
  if (!arguments.corpus.empty()) report.used_corpus(arguments.corpus, result.corpus);
  if (result.optimised) report.compiled_with_optimisation();
  report.finish(result.counts, arguments.strategy, took.count());
  return result.found.empty() ? kExitClean : kExitFindings;
}

}  // namespace

Action declare_hunt(CLI::App& parser) {
  auto arguments = std::make_shared<HuntArguments>();
  HuntArguments& a = *arguments;
  declare_program(parser, a.command);
  a.regions.declare(parser);
  parser.add_flag("--loops", a.loops, "Iterations of loops should be atomic, too");
  const std::vector<std::string> strategies = strategy_names();
  parser
      .add_option("--strategy", a.strategy,
                  fmt::format("Where schedules come from (default {}; with --shard {})",
                              kDefaultStrategy, kDefaultOfShards))
      ->type_name(fmt::format("{}", fmt::join(strategies, "|")))
      ->check(CLI::IsMember(strategies).description(""));
  parser.add_option("--budget", a.budget, "Stop after this time: 90s, 5m, 1h (default 60s)")
      ->type_name("TIME");
  parser
      .add_option("--max-schedules", a.max_schedules,
                  "Try at most N schedules (default: until the budget is over)")
      ->type_name("N")
      ->check(whole_number(1));
  parser.add_flag("--all", a.all,
                  "Go on behind the first failing schedule, and try every prediction");
  parser
      .add_option("-j,--jobs", a.jobs, "Schedules tried at one time, each on its core (default 1)")
      ->type_name("N")
      ->check(whole_number(1, 256));
  parser
      .add_option("--observe", a.observe,
                  "Runs to predict from, while nothing is found (default 300)")
      ->type_name("N")
      ->check(whole_number(1, 10000));
  parser.add_option("--seed", a.seed, "Of everything that goes by chance (default 1)")
      ->type_name("N")
      ->check(whole_number(0));
  parser
      .add_option("--corpus", a.corpus,
                  "Begin with the schedules of FOLDER, and add those that show a new order of "
                  "accesses (docs/howto/large-suites.md)")
      ->type_name("FOLDER");
  parser
      .add_option(
          "--emit-test", a.test,
          "Write a failure that is found as a test for ctest, NAME.cmake in the folder of -o "
          "(docs/howto/cmake.md)")
      ->type_name("NAME")
      ->check(test_names());
  declare_shard(parser, a.shard);
  a.slurm.declare(parser);
  parser.add_flag("--resume", a.slurm.resume, "With --slurm: submit only what has no result yet");
  a.harness.declare(parser);
  parser.add_option("-o", a.output, "Folder for the schedules that are found (default .)")
      ->type_name("FOLDER");
  parser
      .add_option("--json", a.json, "Write the findings to FILE as JSON (docs/reference/json.md)")
      ->type_name("FILE");
  parser.add_option("--sarif", a.sarif, "Write the findings to FILE as SARIF 2.1.0")
      ->type_name("FILE");
  return [arguments] {
    choose_strategy(*arguments);
    return hunt_program(*arguments);
  };
}

}  // namespace isosan
