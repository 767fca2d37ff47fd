// Which calls need not close an epoch if only units of work are recorded
// (runtime/modes/units.h): applies marathon's rules to the functions of a program that is
// being loaded. Also the "selection" that such a recording carries.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "analysis/marathon/function_roles.h"
#include "cli/options/sets_file.h"
#include "event/tables.h"

namespace isosan {

class UnitCalls {
 public:
  explicit UnitCalls(marathon::SetRules rules) : rules_(std::move(rules)) {}

  bool is_within_units(const Tables& tables, FunctionId function);
  // The same, for FunctionAnswers; must not outlive this object.
  std::function<bool(const Tables&, FunctionId)> question() {
    return [this](const Tables& tables, FunctionId id) { return is_within_units(tables, id); };
  }

 private:
  struct Parts {
    Parts(const Tables& tables, marathon::SetRules rules)
        : book(tables, std::move(rules)), model(tables, book), roles(tables, book, model) {}
    marathon::RuleBook book;
    marathon::SetModel model;
    marathon::FunctionRoles roles;
  };
  marathon::SetRules rules_;
  std::unique_ptr<Parts> parts_;  // made when there are tables
};

// The "selection" of a recording for units of work: functions that are no units by these rules.
std::vector<SelectionRule> unit_selection(const marathon::SetRules& rules);
bool is_unit_selection(const std::vector<SelectionRule>& selection);
// Does the recording have all that these units need?
bool includes_units(const std::vector<SelectionRule>& recorded,
                    const std::vector<SelectionRule>& needed);

}  // namespace isosan
