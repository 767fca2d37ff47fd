// From a cycle of units to a Finding.
#pragma once

#include <string>

#include "analysis/marathon/conflict_graph.h"
#include "analysis/marathon/set_model.h"
#include "event/finding.h"
#include "event/tables.h"

namespace isosan::marathon {

inline constexpr const char* kAnalysisName = "marathon";

std::string unit_name(const UnitInfo& unit, const Tables& tables);

// Transactions stand in the order of the cycle; the last one closed it. Without a key.
Finding cycle_finding(const Cycle& cycle, const ConflictGraph& graph, const SetModel& model,
                      const Tables& tables);
// The set (`subject`) and the cycle's functions; the same for every rotation of the cycle.
std::string cycle_key(const Cycle& cycle, const std::string& subject, const ConflictGraph& graph,
                      const Tables& tables);

// The two steps and the edge of a conflict between transactions `from` and `to`.
void add_conflict(Finding& finding, const Conflict& conflict, std::size_t from, std::size_t to);

}  // namespace isosan::marathon
