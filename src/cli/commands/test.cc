// isosan test: a whole test suite, watched, hunted and explained, with one result (docs/test.md).
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/report_path.h"
#include "base/user_error.h"
#include "cli/commands/command.h"
#include "cli/options/budget.h"
#include "cli/options/number.h"
#include "cli/options/report_file.h"
#include "cli/output/exit_status.h"
#include "cli/output/folder.h"
#include "cli/output/suite_progress.h"
#include "hunt/observation.h"
#include "spec/glob.h"
#include "suite/findings/baseline.h"
#include "suite/reports/annotations.h"
#include "suite/reports/html.h"
#include "suite/reports/junit.h"
#include "suite/reports/sarif.h"
#include "suite/reports/text.h"
#include "suite/run/discover.h"
#include "suite/run/suite.h"

namespace isosan {
namespace {

using suite::SuiteResult;
using suite::TestCase;
using suite::Verdict;

struct TestArguments {
  std::vector<std::string> command;
  std::string build = ".";
  std::vector<std::string> only;
  std::string budget = "10m";
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  double seconds = 300;
  std::string spec;
  std::string output = "isosan-results";
  std::string json, junit, sarif, html, baseline, new_baseline;
  bool list = false, again = false, resume = false;
};

std::atomic<bool> stop{false};  // set by Ctrl-C

void stop_when_asked() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop = true; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
}

std::vector<TestCase> chosen_tests(const TestArguments& arguments) {
  std::vector<TestCase> tests = arguments.command.empty()
                                    ? suite::tests_of_folder(arguments.build, stop)
                                    : suite::tests_of_command(arguments.command, stop);
  if (arguments.only.empty()) return tests;
  std::erase_if(tests, [&](const TestCase& test) {
    return std::ranges::none_of(
        arguments.only, [&](const std::string& glob) { return glob_matches(glob, test.name); });
  });
  if (tests.empty()) throw UserError(fmt::format("no test is called '{}'", arguments.only.front()));
  return tests;
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
  work.again = arguments.again;
  work.resume = arguments.resume;
  work.build_id = identity_of;
  return work;
}

bool is_instrumented(const suite::TestResult& test) {
  return test.verdict != Verdict::kNotInstrumented && test.verdict != Verdict::kNotRun;
}

int status_of(const SuiteResult& result) {
  if (result.new_findings() > 0) return kExitFindings;
  // A test that failed by itself, and is known to fail in some schedules, met one of those.
  const auto is_wrong = [&](const suite::TestResult& test) {
    const bool failed = test.verdict == Verdict::kFailed || test.verdict == Verdict::kHangs;
    return test.verdict == Verdict::kError || (failed && !result.shows_finding(test.name));
  };
  const bool wrong = !result.complete || std::ranges::any_of(result.tests, is_wrong);
  return wrong ? kExitError : kExitClean;
}

std::string named(const std::string& path) { return report_path(path, "suite"); }

// Opened before the work, so that an error in a path costs nothing.
struct Files {
  explicit Files(const TestArguments& arguments)
      : json(arguments.json.empty() ? arguments.output + "/result.json" : named(arguments.json)),
        junit(named(arguments.junit)),
        sarif(named(arguments.sarif)),
        html(arguments.html.empty() ? "" : arguments.html + "/index.html"),
        baseline(arguments.new_baseline) {}
  void write(const SuiteResult& result) {
    json.write(to_json(result).dump(1, ' ', false, suite::Json::error_handler_t::replace) + "\n");
    if (junit.wanted()) junit.write(junit_report(result));
    if (sarif.wanted()) sarif.write(suite::sarif_report(result, ISOSAN_VERSION));
    if (html.wanted()) html.write(html_report(result));
    if (baseline.wanted()) baseline.write(baseline_of(result));
  }
  ReportFile json, junit, sarif, html, baseline;
};

int test_suite(const TestArguments& arguments) {
  const suite::WorkOptions work = work_of(arguments);
  std::vector<suite::Cause> known;
  if (!arguments.baseline.empty()) known = suite::read_baseline(arguments.baseline);
  stop_when_asked();
  const std::vector<TestCase> tests = chosen_tests(arguments);
  if (arguments.list) return print_list(tests);
  make_folder(arguments.output);
  if (!arguments.html.empty()) make_folder(arguments.html);
  Files files(arguments);
  SuiteProgress progress;
  SuiteResult result = suite::run_suite(
      tests, work, stop, [&](const suite::SuiteEvent& event) { progress.show(event); });
  progress.clear();
  if (result.complete && std::ranges::none_of(result.tests, is_instrumented)) {
    throw UserError(
        fmt::format("nothing of the {} test{} is instrumented: build with 'isosan cc' and 'isosan "
                    "c++'",
                    tests.size(), tests.size() == 1 ? "" : "s"));
  }
  if (!arguments.baseline.empty()) suite::compare(result, known);
  fmt::print("{}", suite::result_text(result));
  if (std::getenv("GITHUB_ACTIONS") != nullptr) {
    const char* workspace = std::getenv("GITHUB_WORKSPACE");
    fmt::print("{}", suite::annotations(result, workspace == nullptr ? "" : workspace));
  }
  files.write(result);
  return status_of(result);
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
  parser.add_option("--spec", a.spec, "Spec file: regions and suppressions (docs/regions.md)")
      ->type_name("FILE");
  parser.add_flag("--again", a.again, "Hunt tests that have not changed since the last run, too");
  parser.add_flag("--resume", a.resume,
                  "Take the last results of tests that have not changed, and run the others");
  parser
      .add_option("-o", a.output,
                  "Folder for schedules and reports of single tests (default isosan-results)")
      ->type_name("FOLDER");
  parser.add_option("--json", a.json, "The result (default result.json in that folder)")
      ->type_name("FILE");
  parser.add_option("--junit", a.junit, "Write the result to FILE as JUnit XML")->type_name("FILE");
  parser.add_option("--sarif", a.sarif, "Write the result to FILE as SARIF 2.1.0")
      ->type_name("FILE");
  parser.add_option("--html", a.html, "Write the result to FOLDER as a page, index.html")
      ->type_name("FOLDER");
  parser.add_option("--baseline", a.baseline, "Findings that are known: they do not count")
      ->type_name("FILE");
  parser.add_option("--write-baseline", a.new_baseline, "Write what was found as a baseline")
      ->type_name("FILE");
  return [arguments] {
    if (!arguments->command.empty() && arguments->command.front() == "--")
      arguments->command.erase(arguments->command.begin());
    return test_suite(*arguments);
  };
}

}  // namespace isosan
