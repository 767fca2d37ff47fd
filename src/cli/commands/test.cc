// isosan test: a whole test suite, watched, hunted and explained, with one result (test.md).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/user_error.h"
#include "cli/commands/command.h"
#include "cli/commands/slurm_campaign.h"
#include "cli/options/budget.h"
#include "cli/options/number.h"
#include "cli/options/shard_option.h"
#include "cli/output/exit_status.h"
#include "cli/output/stop_signal.h"
#include "cli/output/suite_output.h"
#include "cli/output/suite_progress.h"
#include "hunt/observation.h"
#include "spec/glob.h"
#include "suite/findings/shard_result.h"
#include "suite/run/discover.h"
#include "suite/run/suite.h"

namespace isosan {
namespace {

using suite::SuiteResult;
using suite::TestCase;

struct TestArguments {
  std::vector<std::string> command;
  std::string build = ".";
  std::vector<std::string> only;
  std::string budget = "10m";
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  double seconds = 300;
  std::string spec, corpus;
  std::string output = "isosan-results";
  SuiteOutputs outputs;
  std::string shard;
  SlurmOptions slurm;
  bool list = false, again = false, resume = false;
};

struct ChosenTests {
  std::vector<TestCase> tests;
  bool all = true;  // --only leaves none out
};

ChosenTests chosen_tests(const TestArguments& arguments) {
  std::vector<TestCase> tests = arguments.command.empty()
                                    ? suite::tests_of_folder(arguments.build, stop_signal())
                                    : suite::tests_of_command(arguments.command, stop_signal());
  if (arguments.only.empty()) return {std::move(tests)};
  const std::size_t left_out = std::erase_if(tests, [&](const TestCase& test) {
    return std::ranges::none_of(
        arguments.only, [&](const std::string& glob) { return glob_matches(glob, test.name); });
  });
  if (tests.empty()) throw UserError(fmt::format("no test is called '{}'", arguments.only.front()));
  return {std::move(tests), left_out == 0};
}

int print_list(const std::vector<TestCase>& tests) {
  for (const TestCase& test : tests) fmt::print("{}\n", test.name);
  return kExitClean;
}

// The contents of a file: a build id, or for a script its size and time.
std::string identity_of(const std::string& path) {
  const std::string id = build_id_of(path);
  if (id != kUnreadable) return id;
  std::error_code none;
  const auto size = std::filesystem::file_size(path, none);
  const auto time = std::filesystem::last_write_time(path, none);
  return fmt::format("{} {}", size, time.time_since_epoch().count());
}

suite::WorkOptions work_of(const TestArguments& arguments) {
  suite::WorkOptions work;
  work.isosan = std::filesystem::read_symlink("/proc/self/exe");
  work.folder = std::filesystem::absolute(arguments.output);
  work.jobs = arguments.jobs;
  work.budget = parse_budget(arguments.budget);
  work.seconds = arguments.seconds;
  if (!arguments.spec.empty()) {
    work.run_options = {"--spec", std::filesystem::absolute(arguments.spec)};
    work.contents = identity_of(arguments.spec);
  }
  if (!arguments.corpus.empty()) work.corpus = std::filesystem::absolute(arguments.corpus);
  work.again = arguments.again;
  work.resume = arguments.resume;
  work.build_id = identity_of;
  return work;
}

// All that the outcome of a suite depends on, besides isosan itself: shards of other tests differ.
suite::Json shard_header_of(const TestArguments& arguments, const suite::WorkOptions& work,
                            const ChosenTests& chosen) {
  std::string names, builds;
  for (const TestCase& test : chosen.tests) {
    names += test.name + "\n";
    const std::string program = std::filesystem::path(test.folder) / test.command[0];
    builds += identity_of(program) + "\n";
  }
  return shard_header(
      parse_shard(arguments.shard), "the suite", {fmt::format("{:016x}", Shard::hash(builds))},
      {{"tests", fmt::format("{} ({:016x})", chosen.tests.size(), Shard::hash(names))},
       {"selected", !chosen.all},
       {"budget", work.budget.count()},
       {"timeout", work.seconds},
       {"spec", work.contents}});
}

// The tests of the shard, with their places among all.
std::vector<std::uint64_t> keep_part(std::vector<TestCase>& tests, const Shard& shard) {
  std::vector<TestCase> part;
  std::vector<std::uint64_t> places;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (!shard.owns(tests[i].name)) continue;
    part.push_back(tests[i]);
    places.push_back(i);
  }
  tests = std::move(part);
  return places;
}

// Tasks look at a suite from scratch; `resume` goes on with the campaign.
int test_on_slurm(const TestArguments& arguments) {
  if (!arguments.shard.empty()) throw UserError("--slurm makes the shards itself, without --shard");
  SuiteOutput(arguments.outputs, arguments.output).open();  // an error in a path costs no campaign
  SlurmOptions slurm = arguments.slurm;
  slurm.resume = arguments.resume;
  return run_on_slurm(slurm, arguments.output, false, arguments.outputs);
}

int test_suite(const TestArguments& arguments) {
  if (arguments.resume && arguments.again)
    throw UserError("--resume takes the last results, --again makes new ones: one of the two");
  if (arguments.slurm.wanted() && !arguments.list) return test_on_slurm(arguments);
  const suite::WorkOptions work = work_of(arguments);
  const Shard shard = parse_shard(arguments.shard);
  stop_when_asked();
  SuiteOutput output(arguments.outputs, arguments.output);
  ChosenTests chosen = chosen_tests(arguments);
  std::vector<TestCase>& tests = chosen.tests;
  suite::Json header;
  if (!arguments.shard.empty()) header = shard_header_of(arguments, work, chosen);
  const std::vector<std::uint64_t> places = keep_part(tests, shard);
  if (arguments.list) return print_list(tests);
  output.open();
  SuiteProgress progress;
  SuiteResult result = suite::run_suite(
      tests, work, stop_signal(), [&](const suite::SuiteEvent& event) { progress.show(event); });
  progress.clear();
  if (arguments.shard.empty()) refuse_uninstrumented(result);
  result.selected = !chosen.all || shard.count > 1;
  output.compare(result);
  output.write(result, header.is_null() ? to_json(result) : shard_json(result, header, places));
  return output.status(result);
}

}  // namespace

Action declare_test(CLI::App& parser) {
  auto arguments = std::make_shared<TestArguments>();
  TestArguments& a = *arguments;
  parser
      .add_option(
          "PROGRAM", a.command,
          "A test program and its arguments, after --; without one those of the build folder")
      ->type_name("");
  parser.positionals_at_end();
  parser
      .add_option("--build", a.build, "The build folder of CMake or Meson (default . or ./build)")
      ->type_name("FOLDER");
  parser.add_option("--only", a.only, "Tests with such names only (repeatable)")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  parser.add_flag("--list", a.list, "List the tests, and run none");
  parser.add_option("--budget", a.budget, "Time for all hunts together: 90s, 5m, 1h (default 10m)")
      ->type_name("TIME");
  parser.add_option("-j,--jobs", a.jobs, "Tests at one time (default: one for each processor)")
      ->type_name("N")
      ->check(whole_number(1, 256));
  parser
      .add_option("--timeout", a.seconds,
                  "A test longer than this hangs, in seconds, unless ctest has another limit "
                  "(default 300)")
      ->type_name("S")
      ->check(seconds());
  parser
      .add_option("--spec", a.spec,
                  "Spec file: regions and suppressions (docs/reference/regions.md)")
      ->type_name("FILE");
  parser
      .add_option(
          "--corpus", a.corpus,
          "Hunts begin with the schedules of FOLDER, and add to it (docs/howto/large-suites.md)")
      ->type_name("FOLDER");
  parser.add_flag("--again", a.again, "Hunt tests that have not changed since the last run, too");
  parser.add_flag("--resume", a.resume,
                  "Take the last results of tests that have not changed, and run the others");
  parser
      .add_option("-o", a.output,
                  "Folder for schedules and reports of single tests (default isosan-results)")
      ->type_name("FOLDER");
  a.outputs.declare(parser);
  declare_shard(parser, a.shard);
  a.slurm.declare(parser);
  return [arguments] {
    if (!arguments->command.empty() && arguments->command.front() == "--")
      arguments->command.erase(arguments->command.begin());
    return test_suite(*arguments);
  };
}

}  // namespace isosan
