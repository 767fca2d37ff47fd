// Fills in what the tables do not know yet of the program points that findings show: file and line
// of program counters (the __tsan_* front), with the functions inlined there. One call of the
// symbolizer for all of them.
#pragma once

#include <vector>

#include "event/finding.h"
#include "event/tables.h"

namespace isosan {

void resolve_places(const std::vector<Finding>& findings, Tables& tables);

}  // namespace isosan
