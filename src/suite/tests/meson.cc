#include "suite/tests/meson.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/input_error.h"
#include "suite/tests/build_folder.h"

namespace isosan::suite {
namespace {

using Json = nlohmann::json;

constexpr char kFile[] = "meson-info/intro-tests.json";

TestCase test_in(const Json& json) {
  TestCase test;
  json.at("name").get_to(test.name);
  json.at("cmd").get_to(test.command);
  const Json environment = json.value("env", Json::object());
  for (const auto& [name, value] : environment.items())
    test.environment.emplace_back(name, value.get<std::string>());
  if (json.contains("workdir") && json.at("workdir").is_string())
    json.at("workdir").get_to(test.folder);
  if (json.contains("timeout") && json.at("timeout").is_number())
    test.seconds = std::max(0.0, json.at("timeout").get<double>());  // 0 or less: no limit
  const std::string protocol = json.value("protocol", "exitcode");
  test.judged_otherwise = protocol != "exitcode" && protocol != "gtest";
  return test;
}

}  // namespace

std::string meson_tests_file(const std::string& folder) {
  const std::string build = folder_with(folder, kFile);
  return build.empty() ? "" : build + "/" + kFile;
}

std::vector<TestCase> parse_meson(std::string_view json, const std::string& where) {
  std::vector<TestCase> tests;
  try {
    for (const Json& one : Json::parse(json)) {
      tests.push_back(test_in(one));
      if (tests.back().command.empty()) tests.pop_back();
    }
  } catch (const Json::exception&) {
    throw InputError(where + ": is not a list of Meson's tests");
  }
  return tests;
}

}  // namespace isosan::suite
