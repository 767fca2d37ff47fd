#include "suite/run/discover.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/user_error.h"
#include "suite/run/process.h"
#include "suite/tests/ctest.h"
#include "suite/tests/framework.h"

namespace isosan::suite {
namespace {

constexpr std::chrono::seconds kMostToList{60};

// The cases of the test's program, if it has any; `before` stands before their names.
std::vector<TestCase> split(const TestCase& whole, const std::string& before,
                            const std::atomic<bool>& stop) {
  const Framework* framework = framework_of_command(whole.command);
  if (framework == nullptr) return {whole};
  std::vector<std::string> list = whole.command;
  list.insert(list.end(), framework->list_options.begin(), framework->list_options.end());
  const ProcessOutcome listed = run_process({.command = list,
                                             .folder = whole.folder,
                                             .environment = whole.environment,
                                             .limit = kMostToList},
                                            stop);
  std::vector<TestCase> cases;
  // Boost.Test lists on stderr.
  for (const std::string& name :
       framework->cases(listed.output.empty() ? listed.errors : listed.output)) {
    TestCase one = whole;
    one.name = before + name;
    for (const std::string& option : framework->options_of(name)) one.command.push_back(option);
    cases.push_back(std::move(one));
  }
  return cases.empty() ? std::vector{whole} : cases;
}

}  // namespace

std::vector<TestCase> tests_of_folder(const std::string& folder, const std::atomic<bool>& stop) {
  const std::string build = ctest_folder(folder);
  if (build.empty()) {
    throw UserError(fmt::format(
        "no tests: neither '{0}' nor '{0}/build' is a build folder of CMake with tests; name one "
        "(--build FOLDER), or a test program (-- PROGRAM)",
        folder));
  }
  const ProcessOutcome listed = run_process(
      {.command = {"ctest", "--show-only=json-v1"}, .folder = build, .environment = {}}, stop);
  std::vector<TestCase> tests;
  for (const TestCase& test : parse_ctest(listed.output, build)) {
    for (TestCase& one : split(test, test.name + ": ", stop)) tests.push_back(std::move(one));
  }
  if (tests.empty()) throw UserError(fmt::format("no tests: ctest lists none in '{}'", build));
  return tests;
}

std::vector<TestCase> tests_of_command(const std::vector<std::string>& command,
                                       const std::atomic<bool>& stop) {
  TestCase whole;
  whole.name = std::filesystem::path(command.at(0)).filename();
  whole.command = command;
  return split(whole, "", stop);
}

}  // namespace isosan::suite
