#include "spec/selection.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/input_error.h"
#include "event/quiet_selection.h"

namespace isosan {
namespace {

constexpr const char* kHeuristicOption = "--regions";

struct Lists {
  RuleSet command_line;
  RuleSet spec_file;
  Assumptions assumptions;
};

struct NamedList {
  const char* option;
  std::vector<std::string>* globs;
};

std::vector<NamedList> named(Lists& lists) {
  return {{"--atomic", &lists.command_line.atomic},
          {"--not-atomic", &lists.command_line.not_atomic},
          {"--deterministic", &lists.command_line.deterministic},
          {"spec atomic", &lists.spec_file.atomic},
          {"spec not-atomic", &lists.spec_file.not_atomic},
          {"spec deterministic", &lists.spec_file.deterministic},
          {"assume atomic", &lists.assumptions.atomic},
          {"assume mover", &lists.assumptions.mover},
          {"assume no-warn", &lists.assumptions.no_warn},
          {"assume no-warn-lines", &lists.assumptions.no_warn_lines},
          {"assume split-at-wait", &lists.assumptions.split_at_wait},
          {"assume guarded", &lists.assumptions.guarded}};
}

std::string name_of(Heuristic heuristic) {
  return std::string(std::ranges::find(kHeuristics, heuristic, &HeuristicName::heuristic)->name);
}

}  // namespace

std::vector<SelectionRule> selection_of(const RegionRules& rules) {
  std::vector<SelectionRule> selection{{kHeuristicOption, name_of(rules.heuristic())}};
  Lists lists{rules.command_line(), rules.spec_file(), rules.assumptions()};
  for (const NamedList& list : named(lists)) {
    std::ranges::sort(*list.globs);
    const auto repeated = std::ranges::unique(*list.globs);
    list.globs->erase(repeated.begin(), repeated.end());
    for (const std::string& glob : *list.globs) selection.push_back({list.option, glob});
  }
  return selection;
}

RegionRules rules_of(const std::vector<SelectionRule>& selection) {
  std::optional<Heuristic> heuristic;
  Lists lists;
  const std::vector<NamedList> by_option = named(lists);
  for (const SelectionRule& rule : selection) {
    if (rule.option == kHeuristicOption) {
      heuristic = heuristic_named(rule.value);
      continue;
    }
    if (rule.option == kQuietOption) continue;
    const auto list = std::ranges::find(by_option, rule.option, &NamedList::option);
    if (list == by_option.end()) {
      throw InputError("the trace was recorded for '" + rule.option + "', which is not known");
    }
    list->globs->push_back(rule.value);
  }
  if (!heuristic) throw InputError("the trace was recorded for regions that are not known");
  return RegionRules(std::move(lists.command_line), std::move(lists.spec_file), heuristic,
                     std::move(lists.assumptions));
}

std::string selection_text(const std::vector<SelectionRule>& selection) {
  std::string text;
  for (const SelectionRule& rule : selection) {
    text += (text.empty() ? "" : ", ") + rule.option + " " + rule.value;
  }
  return text;
}

}  // namespace isosan
