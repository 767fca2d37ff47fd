// One finding per cause: of the cycles that blame one region, the shortest is told, the others are
// counted in a note of it.
#pragma once

#include <string>

#include "event/finding.h"
#include "event/tables.h"
#include "report/run_record.h"

namespace isosan {

// Findings with one cause are told once: cycles that blame the same region, and otherwise what the
// analysis takes for the same finding.
std::string cause_of(const Finding& finding);

void keep_one_per_region(RunRecord& record, const Tables& tables);

}  // namespace isosan
