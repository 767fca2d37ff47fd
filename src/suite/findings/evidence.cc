#include "suite/findings/evidence.h"

#include <algorithm>

namespace isosan::suite {
namespace {

const Json& stack_of(const Json& finding, const Json& step) {
  static const Json kNone = Json::array();
  if (!step.contains("stack")) return kNone;
  return finding.at("stacks").at(step.at("stack").get<std::size_t>());
}

// The functions around a step, innermost first.
std::vector<std::string> own_functions(const Json& finding, const Json& step) {
  std::vector<std::string> functions;
  for (const Json& frame : stack_of(finding, step)) {
    if (is_own(frame)) functions.push_back(frame.value("function", ""));
  }
  if (functions.empty() && is_own(step.at("place")))
    functions.push_back(step.at("place").value("function", ""));
  return functions;
}

bool is_blamed(const Json& finding, const Json& step) {
  return finding.at("transactions")
      .at(step.at("transaction").get<std::size_t>())
      .value("blamed", false);
}

}  // namespace

std::string variable_in(const std::string& operand) {
  const std::string name = operand.substr(0, operand.find_first_of(" +["));
  const bool number = !name.empty() && name.find_first_not_of("0123456789") == name.npos;
  return name.starts_with("0x") || number ? "" : name;
}

// Colons of template arguments do not count.
std::string class_of(const std::string& name) {
  int depth = 0;
  for (std::size_t i = name.size(); i > 1; --i) {
    depth += name[i - 1] == '>' ? 1 : name[i - 1] == '<' ? -1 : 0;
    if (depth == 0 && name[i - 1] == ':' && name[i - 2] == ':') return name.substr(0, i - 2);
  }
  return {};
}

std::string last_name(const std::string& name) {
  const std::string before = class_of(name);
  return before.empty() ? name : name.substr(before.size() + 2);
}

bool is_own(const Json& frame) {
  const std::string function = frame.value("function", "");
  const bool library = function.starts_with("std::") || function.starts_with("__");
  return !function.empty() && !library && !frame.value("file", "").starts_with("/usr/");
}

std::vector<const Json*> telling_steps(const Json& finding) {
  const Json& steps = finding.at("steps");
  std::set<std::size_t> chosen;
  for (const Json& edge : finding.at("edges")) {
    chosen.insert(edge.at("from").get<std::size_t>());
    chosen.insert(edge.at("to").get<std::size_t>());
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].contains("role")) chosen.insert(i);
  }
  std::vector<const Json*> telling;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (chosen.empty() || chosen.contains(i)) telling.push_back(&steps[i]);
  }
  return telling;
}

std::set<std::string> variables_of(const Json& finding) {
  std::set<std::string> names;
  for (const Json* step : telling_steps(finding)) {
    const std::string name = variable_in(step->value("operand", ""));
    if (!name.empty()) names.insert(name);
  }
  return names;
}

std::string common_function(const Json& finding, const std::vector<const Json*>& steps) {
  if (steps.empty()) return {};
  std::vector<std::string> common = own_functions(finding, *steps.front());
  for (const Json* step : steps) {
    const std::vector<std::string> others = own_functions(finding, *step);
    std::erase_if(common, [&](const std::string& function) {
      return std::ranges::find(others, function) == others.end();
    });
  }
  return common.empty() ? "" : common.front();
}

std::string torn_function(const Json& finding) {
  std::vector<const Json*> blamed;
  for (const Json* step : telling_steps(finding)) {
    if (is_blamed(finding, *step)) blamed.push_back(step);
  }
  return common_function(finding, blamed);
}

Json own_place(const Json& finding, const Json& step) {
  const Json& stack = stack_of(finding, step);
  const auto own = std::ranges::find_if(stack, is_own);
  return own != stack.end() ? *own : step.at("place");
}

}  // namespace isosan::suite
