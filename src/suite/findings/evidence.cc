#include "suite/findings/evidence.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace isosan::suite {
namespace {

const Json& stack_of(const Json& finding, const Json& step) {
  static const Json kNone = Json::array();
  if (!step.contains("stack")) return kNone;
  return finding.at("stacks").at(step.at("stack").get<std::size_t>());
}

// The calls around a step in the program's own code, outermost first.
std::vector<const Json*> own_calls(const Json& finding, const Json& step) {
  std::vector<const Json*> calls;
  for (const Json& frame : stack_of(finding, step))
    if (is_own(frame)) calls.push_back(&frame);
  if (calls.empty() && is_own(step.at("place"))) calls.push_back(&step.at("place"));
  std::ranges::reverse(calls);
  return calls;
}

std::string name_of(const Json& frame) { return frame.value("function", ""); }

// 0: not known.
int line_in(const Json& frame) {
  return frame.value("definition", false) ? 0 : frame.value("line", 0);
}

// Both stand in one call, as far as the lines tell: the later one is not before the earlier one. At
// one line a read comes before a write; anything else is another call.
bool may_be_one_call(const Json& first, const Json& last, bool reads_then_writes) {
  const int from = line_in(first), to = line_in(last);
  return from == 0 || to == 0 || from < to || (from == to && reads_then_writes);
}

bool only_reads(const Json& step) {
  return step.at("operation") == "read" || step.at("operation") == "atomic-load";
}

bool is_blamed(const Json& finding, const Json& step) {
  return finding.at("transactions")
      .at(step.at("transaction").get<std::size_t>())
      .value("blamed", false);
}

// The innermost call that is around both steps. It is not outside the region that is blamed.
std::string innermost_common(const Json& finding, const Json& first, const Json& last) {
  const std::vector<const Json*> from = own_calls(finding, first), to = own_calls(finding, last);
  const std::string region = finding.value("region", "");
  std::string common;
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
    const std::string name = name_of(*from[i]);
    if (name != name_of(*to[i])) break;
    const bool is_innermost = i + 1 == from.size() || i + 1 == to.size();
    const bool diverges = line_in(*from[i]) != line_in(*to[i]);
    const bool is_needed = common.empty() || name == region;
    if ((is_innermost || diverges) && !is_needed &&
        !may_be_one_call(*from[i], *to[i], only_reads(first) && !only_reads(last))) {
      break;
    }
    common = name;
    if (diverges) break;
  }
  return common;
}
}  // namespace

std::string variable_in(const std::string& operand) {
  static constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  const std::size_t from = operand.starts_with(kUnnamed) ? kUnnamed.size() : 0;
  const std::string name = operand.substr(from, operand.find_first_of(" +[", from) - from);
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
    if (step->at("operation") == "fork" || step->at("operation") == "join") continue;
    const std::string name = variable_in(step->value("operand", ""));
    if (!name.empty()) names.insert(name);
  }
  return names;
}

const Json* last_before_hang(const Json& finding) {
  if (finding.value("kind", "") != "deadlock") return nullptr;
  const Json* last = nullptr;
  for (const Json& step : finding.at("steps")) {
    if (step.contains("role")) return nullptr;
    if (step.at("operation") != "join") last = &step;
  }
  return last;
}

std::string function_of(const Json& finding, const Json& step) {
  const std::vector<const Json*> calls = own_calls(finding, step);
  return calls.empty() ? "" : name_of(*calls.back());
}

Torn torn(const Json& finding) {
  Torn torn;
  std::optional<std::size_t> blamed;
  for (const Json* step : telling_steps(finding)) {
    const auto number = step->at("transaction").get<std::size_t>();
    if (is_blamed(finding, *step)) blamed = std::min(number, blamed.value_or(number));
  }
  for (const Json* step : telling_steps(finding)) {
    if (step->at("transaction").get<std::size_t>() != blamed) {
      torn.others.push_back(step);
    } else {
      (torn.first == nullptr ? torn.first : torn.last) = step;
    }
  }
  return torn;
}

std::string torn_function(const Json& finding) {
  const Torn parts = torn(finding);
  return parts.last == nullptr ? "" : innermost_common(finding, *parts.first, *parts.last);
}

Json own_place(const Json& finding, const Json& step) {
  const Json& stack = stack_of(finding, step);
  const auto own = std::ranges::find_if(stack, is_own);
  return own != stack.end() ? *own : step.at("place");
}

Json place_in(const Json& finding, const Json& step, const std::string& function) {
  for (const Json* call : own_calls(finding, step))
    if (name_of(*call) == function) return *call;
  return own_place(finding, step);
}

}  // namespace isosan::suite
