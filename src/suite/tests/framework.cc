#include "suite/tests/framework.h"

#include <algorithm>

#include "base/input_error.h"
#include "suite/tests/lists.h"
#include "symbolize/mapped_file.h"

namespace isosan::suite {
namespace {

// `special` characters of a name get a backslash.
std::string escaped(const std::string& name, std::string_view special) {
  std::string text;
  for (const char c : name) {
    if (special.find(c) != special.npos) text += '\\';
    text += c;
  }
  return text;
}

std::vector<std::string> googletest_case(const std::string& name) {
  return {"--gtest_filter=" + name};
}
std::vector<std::string> catch_case(const std::string& name) { return {escaped(name, "\\,[*\"")}; }
std::vector<std::string> doctest_case(const std::string& name) {
  return {"--test-case=" + escaped(name, "\\,")};
}
std::vector<std::string> boost_case(const std::string& name) { return {"--run_test=" + name}; }

}  // namespace

const std::vector<Framework>& frameworks() {
  // Catch2 before doctest: doctest names Catch2 nowhere, but both know --list-test-cases.
  static const std::vector<Framework> kFrameworks = {
      {.name = "GoogleTest",
       .marks = {"gtest_list_tests", "libgtest.so"},
       .list_options = {"--gtest_list_tests"},
       .cases = googletest_cases,
       .options_of = googletest_case,
       .selects = "--gtest_filter",
       .skipped = "[  SKIPPED ] 1 test"},
      {.name = "Catch2",
       .marks = {"list-test-names-only", "libCatch2"},
       .list_options = {"--list-test-names-only"},
       .cases = catch_cases,
       .options_of = catch_case,
       .selects = ""},
      {.name = "Catch2 3",
       .marks = {"list-listeners", "libCatch2Main"},
       .list_options = {"--list-tests", "--verbosity", "quiet"},
       .cases = catch_cases,
       .options_of = catch_case,
       .selects = "",
       .skipped = "test cases: 1 | 1 skipped"},
      {.name = "doctest",
       .marks = {"[doctest] "},
       .list_options = {"--list-test-cases"},
       .cases = doctest_cases,
       .options_of = doctest_case,
       .selects = "--test-case"},
      {.name = "Boost.Test",
       .marks = {"list_content", "libboost_unit_test_framework"},
       .list_options = {"--list_content=HRF"},
       .cases = boost_cases,
       .options_of = boost_case,
       .selects = "--run_test"},
  };
  return kFrameworks;
}

const Framework* framework_of(std::string_view contents) {
  for (const Framework& one : frameworks()) {
    const bool found = std::ranges::any_of(
        one.marks, [&](std::string_view mark) { return contents.find(mark) != contents.npos; });
    if (found) return &one;
  }
  return nullptr;
}

const Framework* framework_of_command(const std::vector<std::string>& command) {
  try {
    const MappedFile file(command.at(0));
    const std::span<const std::byte> bytes = file.bytes();
    const std::string_view contents(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!contents.starts_with("\x7f"
                              "ELF"))
      return nullptr;
    const Framework* framework = framework_of(contents);
    if (framework == nullptr) return nullptr;
    // Without a name for the option that chooses, any argument may.
    const auto chooses = [&](const std::string& argument) {
      return framework->selects.empty() || argument.starts_with(framework->selects);
    };
    const bool chosen = std::any_of(command.begin() + 1, command.end(), chooses);
    return chosen ? nullptr : framework;
  } catch (const InputError&) {
    return nullptr;  // a name to be looked for in PATH
  }
}

}  // namespace isosan::suite
