#include "suite/run/memory.h"

#include <filesystem>
#include <fstream>

#include "base/fresh_file.h"
#include "suite/findings/sighting_json.h"

namespace isosan::suite {
namespace {

std::string path_of(const std::string& file) { return file + ".known.json"; }

std::string in_folder(const TestCase& test) {
  return std::filesystem::path(test.folder) / test.command[0];
}

// All that the outcome of a test depends on.
Json identity(const TestCase& test, const std::vector<std::string>& modules,
              const WorkOptions& options) {
  Json environment = Json::array();
  for (const auto& [name, value] : test.environment) environment.push_back(name + "=" + value);
  Json builds = Json::object();
  for (const std::string& module : modules) builds[module] = options.build_id(module);
  builds[test.command[0]] = options.build_id(in_folder(test));  // a script is no module
  return {{"command", test.command},
          {"folder", test.folder},
          {"environment", environment},
          {"options", options.run_options},
          {"contents", options.contents},
          {"isosan", options.build_id(options.isosan)},
          {"builds", builds}};
}

bool schedules_exist(const std::vector<Sighting>& failures) {
  for (const Sighting& one : failures) {
    if (!std::filesystem::exists(one.schedule)) return false;
  }
  return true;
}

}  // namespace

void remember(const Progressing& one, const WorkOptions& options) {
  const Json known{{"identity", identity(*one.test, one.modules, options)},
                   {"result", to_json(one.result)},
                   {"seen", to_json(one.seen)},
                   {"failures", to_json(one.failures)}};
  FreshFile file(path_of(one.file));
  // What cannot be kept is found out again next time.
  if (file.is_open()) file.complete(known.dump(1, ' ', false, Json::error_handler_t::replace));
}

std::optional<Progressing> recall(const TestCase& test, const std::string& file,
                                  const WorkOptions& options) {
  std::ifstream stream(path_of(file), std::ios::binary);
  const Json known = Json::parse(stream, nullptr, false);
  if (known.is_discarded()) return std::nullopt;
  try {
    Progressing one{.test = &test, .file = file};
    for (const auto& [path, id] : known.at("identity").at("builds").items()) {
      if (path != test.command[0]) one.modules.push_back(path);
    }
    if (identity(test, one.modules, options) != known.at("identity")) return std::nullopt;
    one.result = test_result_in(known.at("result"));
    one.seen = sightings_in(known.at("seen"));
    one.failures = sightings_in(known.at("failures"));
    one.hunt_done = true;
    if (!schedules_exist(one.failures)) return std::nullopt;
    return one;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace isosan::suite
