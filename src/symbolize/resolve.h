// Completes the tables for the program points that findings show: file and line
// of program counters (the __tsan_* front), with the functions inlined there. One call of the
// symbolizer for all of them.
#pragma once

#include <vector>

#include "event/finding.h"
#include "event/tables.h"

namespace isosan {

// `further`: places that go with the findings.
void resolve_places(const std::vector<Finding>& findings, const std::vector<Where>& further,
                    Tables& tables);
inline void resolve_places(const std::vector<Finding>& findings, Tables& tables) {
  resolve_places(findings, {}, tables);
}

}  // namespace isosan
