#include "suite/tests/ctest.h"

#include <nlohmann/json.hpp>
#include <set>

#include "base/input_error.h"
#include "suite/tests/build_folder.h"

namespace isosan::suite {
namespace {

using Json = nlohmann::json;

// "NAME=value"
std::pair<std::string, std::string> variable(const std::string& text) {
  const std::size_t at = text.find('=');
  return {text.substr(0, at), at == text.npos ? "" : text.substr(at + 1)};
}

bool is_set(const Json& value) { return value.is_boolean() ? value.get<bool>() : !value.empty(); }

// With one of these, status 0 need not mean "passed", or another status "failed".
const std::set<std::string> kOtherVerdicts = {"WILL_FAIL", "PASS_REGULAR_EXPRESSION",
                                              "FAIL_REGULAR_EXPRESSION", "SKIP_RETURN_CODE"};

// False: the test is disabled.
bool read_property(TestCase& test, const std::string& name, const Json& value) {
  if (name == "WORKING_DIRECTORY") value.get_to(test.folder);
  if (name == "TIMEOUT") value.get_to(test.seconds);
  if (name == "ENVIRONMENT") {
    for (const Json& one : value) test.environment.push_back(variable(one.get<std::string>()));
  }
  if (name == "SKIP_RETURN_CODE" && value.is_number_integer()) test.skip_status = value.get<int>();
  if (kOtherVerdicts.contains(name)) test.judged_otherwise |= is_set(value);
  return name != "DISABLED" || !is_set(value);
}

}  // namespace

std::string ctest_folder(const std::string& folder) {
  return folder_with(folder, "CTestTestfile.cmake");
}

std::vector<TestCase> parse_ctest(std::string_view json, const std::string& where) {
  std::vector<TestCase> tests;
  try {
    const Json all = Json::parse(json);
    for (const Json& one : all.at("tests")) {
      if (!one.contains("command")) continue;  // its program is not built
      TestCase test;
      one.at("name").get_to(test.name);
      one.at("command").get_to(test.command);
      bool enabled = !test.command.empty();
      for (const Json& property : one.value("properties", Json::array())) {
        enabled &= read_property(test, property.at("name").get<std::string>(),
                                 property.value("value", Json()));
      }
      if (enabled) tests.push_back(std::move(test));
    }
  } catch (const Json::exception&) {
    throw InputError(where + ": ctest does not list its tests (--show-only=json-v1)");
  }
  return tests;
}

}  // namespace isosan::suite
