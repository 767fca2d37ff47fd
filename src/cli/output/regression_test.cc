#include "cli/output/regression_test.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/shown.h"
#include "cli/options/report_file.h"

namespace isosan {
namespace {

constexpr char kPlain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

// A bracket argument: CMake replaces nothing in it.
std::string cmake_word(const std::string& word) {
  std::string equals;
  while (word.find("]" + equals + "]") != word.npos) equals += "=";
  return fmt::format("[{0}[{1}]{0}]", equals, word);
}

std::string cmake_list(const char* keyword, const std::vector<std::string>& words) {
  if (words.empty()) return {};
  std::string text = fmt::format("\n  {}", keyword);
  for (const std::string& word : words) text += " " + cmake_word(word);
  return text;
}

}  // namespace

std::string test_name(const std::string& name, std::size_t number) {
  return number == 1 ? name : fmt::format("{}-{}", name, number);
}

CLI::Validator test_names() {
  return CLI::Validator(
      [](const std::string& name) {
        const bool plain = !name.empty() && name.find_first_not_of(kPlain) == name.npos;
        return plain ? std::string()
                     : fmt::format("'{}' is not a name of a test: letters, digits, _ - .", name);
      },
      "");
}

std::string cmake_text(const RegressionTest& test) {
  const std::vector<std::string> arguments(test.command.begin() + 1, test.command.end());
  return fmt::format(
      "# A failure that isosan hunt has found: {}. It must not come back.\n"
      "# include() this where the target is known, behind find_package(IsoSan).\n"
      "isosan_add_regression_test({} {}\n"
      "  SCHEDULE ${{CMAKE_CURRENT_LIST_DIR}}/{}.schedule{}{})\n",
      shown(test.failure), test.name, std::filesystem::path(test.command[0]).filename().string(),
      test.name, cmake_list("ARGS", arguments), cmake_list("OPTIONS", test.options));
}

void write_test(const RegressionTest& test) {
  write_report(fmt::format("{}/{}.cmake", test.folder, test.name), cmake_text(test));
}

}  // namespace isosan
