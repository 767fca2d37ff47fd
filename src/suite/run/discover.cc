#include "suite/run/discover.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/user_error.h"
#include "suite/run/process.h"
#include "suite/tests/ctest.h"
#include "suite/tests/framework.h"
#include "suite/tests/meson.h"

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
    one.skip_mark = framework->skipped;
    for (const std::string& option : framework->options_of(name)) one.command.push_back(option);
    cases.push_back(std::move(one));
  }
  return cases.empty() ? std::vector{whole} : cases;
}

// A test that runs isosan itself (isosan_add_test() of our CMake package) is none to look into.
std::vector<TestCase> split_all(const std::vector<TestCase>& tests, const std::atomic<bool>& stop) {
  std::vector<TestCase> all;
  for (const TestCase& test : tests) {
    if (std::filesystem::path(test.command[0]).filename() == "isosan") continue;
    for (TestCase& one : split(test, test.name + ": ", stop)) all.push_back(std::move(one));
  }
  return all;
}

std::vector<TestCase> tests_of_ctest(std::vector<std::string> command, const std::string& folder,
                                     const std::atomic<bool>& stop) {
  command.emplace_back("--show-only=json-v1");
  const ProcessOutcome listed =
      run_process({.command = command, .folder = folder, .environment = {}}, stop);
  return split_all(parse_ctest(listed.output, folder.empty() ? command[0] : folder), stop);
}

}  // namespace

std::vector<TestCase> tests_of_folder(const std::string& folder, const std::atomic<bool>& stop) {
  std::vector<TestCase> tests;
  if (const std::string build = ctest_folder(folder); !build.empty()) {
    tests = tests_of_ctest({"ctest"}, build, stop);
    if (tests.empty()) throw UserError(fmt::format("no tests: ctest lists none in '{}'", build));
  } else if (const std::string file = meson_tests_file(folder); !file.empty()) {
    std::ifstream stream(file, std::ios::binary);
    const std::string listed(std::istreambuf_iterator<char>(stream), {});
    tests = split_all(parse_meson(listed, file), stop);
    if (tests.empty()) throw UserError(fmt::format("no tests: Meson lists none in '{}'", file));
  } else {
    throw UserError(fmt::format(
        "no tests: neither '{0}' nor '{0}/build' is a build folder of CMake or Meson with tests; "
        "name one (--build FOLDER), or a test program (-- PROGRAM)",
        folder));
  }
  return tests;
}

std::vector<TestCase> tests_of_command(const std::vector<std::string>& command,
                                       const std::atomic<bool>& stop) {
  TestCase whole;
  whole.name = std::filesystem::path(command.at(0)).filename();
  if (whole.name == "ctest") {
    std::vector<TestCase> tests = tests_of_ctest(command, "", stop);
    if (tests.empty())
      throw UserError(fmt::format("no tests: '{}' lists none", fmt::join(command, " ")));
    return tests;
  }
  whole.command = command;
  return split(whole, "", stop);
}

}  // namespace isosan::suite
