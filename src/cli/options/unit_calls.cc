#include "cli/options/unit_calls.h"

#include <algorithm>

namespace isosan {
namespace {

constexpr const char* kUnitsOption = "--units";
constexpr const char* kNotUnit = "not a unit:";

}  // namespace

bool UnitCalls::is_within_units(const Tables& tables, FunctionId function) {
  if (!parts_) parts_ = std::make_unique<Parts>(tables, rules_);
  return marathon::is_within_units(parts_->roles.of(function), tables.functions[index(function)],
                                   parts_->book.rules());
}

std::vector<SelectionRule> unit_selection(const marathon::SetRules& rules) {
  std::vector<std::string> names(rules.not_units.begin(), rules.not_units.end());
  for (const auto& [field, set] : rules.fields) names.push_back(set.name + "::");
  for (const auto& [symbol, set] : rules.globals) names.push_back(set + "::");
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  std::vector<SelectionRule> selection{{kUnitsOption, "marathon"}};
  for (std::string& name : names) selection.push_back({kNotUnit, std::move(name)});
  return selection;
}

bool is_unit_selection(const std::vector<SelectionRule>& selection) {
  return !selection.empty() && selection.front().option == kUnitsOption;
}

bool includes_units(const std::vector<SelectionRule>& recorded,
                    const std::vector<SelectionRule>& needed) {
  return std::ranges::all_of(needed, [&](const SelectionRule& rule) {
    return std::ranges::find(recorded, rule) != recorded.end();
  });
}

}  // namespace isosan
