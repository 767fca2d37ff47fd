#include "suite/findings/cause.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace isosan::suite {
namespace {

std::string kind_of(const Json& finding) {
  const std::string kind = finding.value("kind", "");
  if (kind == "deadlock") return "deadlock";
  return kind == "data-race" ? "race" : "atomicity";
}

// The class that all of these functions, joined by " + ", are in; empty: they are not in one.
std::string class_of_all(const std::string& functions) {
  const std::size_t end = functions.find(" + ");
  const std::string first = class_of(functions.substr(0, end));
  if (end == functions.npos) return first;
  return class_of_all(functions.substr(end + 3)) == first ? first : "";
}

// The class that most of the variables are in, or else the class of the function. What a library
// has inside says nothing.
std::string owner_of(const Json& finding, const std::string& function) {
  std::map<std::string, int> classes;
  for (const std::string& name : variables_of(finding)) {
    if (name.starts_with("std::") || name.starts_with("__")) continue;
    ++classes[class_of(name).empty() ? name : class_of(name)];
  }
  std::string most;
  for (const auto& [name, times] : classes) {
    if (most.empty() || times > classes[most]) most = name;
  }
  return most.empty() ? class_of_all(function) : most;
}

// The functions of the telling steps, one for each step: who waits or races is not one function.
std::string functions_of(const Json& finding) {
  if (const Json* last = last_before_hang(finding)) return function_of(finding, *last);
  std::set<std::string> functions;
  for (const Json* step : telling_steps(finding)) {
    const std::string function = function_of(finding, *step);
    if (!function.empty()) functions.insert(function);
  }
  return fmt::format("{}", fmt::join(functions, " + "));
}

// marathon blames a set of units, and none of them. If one was there before all others and after
// them, they came in between.
std::string unit_around(const Json& finding) {
  const std::vector<const Json*> steps = telling_steps(finding);
  if (!steps.empty() && steps.front()->at("transaction") == steps.back()->at("transaction")) {
    const auto number = steps.front()->at("transaction").get<std::size_t>();
    const Json& unit = finding.at("transactions").at(number);
    if (unit.contains("region") && unit.at("region").is_string()) return unit.at("region");
  }
  return functions_of(finding);
}

}  // namespace

std::string headline(const Cause& cause) {
  const std::string of = cause.of.empty() ? "" : fmt::format(" ({})", cause.of);
  if (cause.kind == "deadlock") return fmt::format("deadlock in {}{}", cause.function, of);
  if (cause.kind == "race") return fmt::format("data race in {}{}", cause.function, of);
  if (cause.kind == "failure") return fmt::format("a test fails in some schedules{}", of);
  return fmt::format("{} is not atomic{}", cause.function, of);
}

std::optional<Cause> cause_of(const Json& finding) {
  Cause cause{.kind = kind_of(finding), .function = {}, .of = {}};
  cause.function = cause.kind == "atomicity" ? torn_function(finding) : functions_of(finding);
  if (cause.function.empty() && finding.value("analysis", "") == "marathon")
    cause.function = unit_around(finding);
  if (cause.function.empty() && finding.value("analysis", "") != "hunt")
    cause.function = finding.value("region", "");
  if (cause.function.empty()) return std::nullopt;
  cause.of = owner_of(finding, cause.function);
  return cause;
}

}  // namespace isosan::suite
