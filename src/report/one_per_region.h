// One finding per cause: of the cycles that blame one region, the shortest is told, the others are
// counted in a note of it.
#pragma once

#include "event/tables.h"
#include "report/run_record.h"

namespace isosan {

void keep_one_per_region(RunRecord& record, const Tables& tables);

}  // namespace isosan
