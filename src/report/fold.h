// What is told of many findings: one per cause, and nothing that is hardly ever a bug. `--all` tells
// everything.
#pragma once

#include <string>

#include "event/finding.h"
#include "event/tables.h"
#include "report/run_record.h"

namespace isosan {

// Findings with one cause are told once: cycles that blame the same region, and otherwise what the
// analysis takes for the same finding.
std::string cause_of(const Finding& finding);

// Of the cycles that blame one region, the shortest stays; the others are counted in a note of it.
// A region with only unlikely findings goes to RunRecord::folded. Those come first that are broken
// in few of their contended executions.
void fold_findings(RunRecord& record, const Tables& tables);

}  // namespace isosan
