// The selection of regions that a recording was made for, as plain rules in the trace's tables.
//
// Law: selection_of() gives equal lists for rules that choose alike by the same globs, however they
// were ordered; rules_of() of it chooses the same functions. The first rule is the heuristic, so a
// selection is never empty: an empty list means that a recording is good for every selection.
// A quiet recording has one more rule (event/quiet_selection.h), which chooses no functions.
#pragma once

#include <string>
#include <vector>

#include "event/tables.h"
#include "spec/region_rules.h"

namespace isosan {

std::vector<SelectionRule> selection_of(const RegionRules& rules);

// Throws InputError for rules that selection_of() never makes.
RegionRules rules_of(const std::vector<SelectionRule>& selection);

// "--regions methods, --not-atomic Pool::*".
std::string selection_text(const std::vector<SelectionRule>& selection);

}  // namespace isosan
