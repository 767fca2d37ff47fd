// Completes the tables for the program points that findings show: file and line of program counters
// (the __tsan_* front), with the functions inlined there, by one call of the symbolizer for all of
// them; and the lines of calls (call_lines.h).
#pragma once

#include <vector>

#include "event/finding.h"
#include "event/tables.h"
#include "symbolize/symbolizer.h"

namespace isosan {

// `further`: places that go with the findings.
void resolve_places(const std::vector<Finding>& findings, const std::vector<Where>& further,
                    Tables& tables);
inline void resolve_places(const std::vector<Finding>& findings, Tables& tables) {
  resolve_places(findings, {}, tables);
}

// A new site with the functions inlined there; frames as the symbolizer gives them.
SiteId add_call_site(ModuleId module, const std::vector<SourceFrame>& frames, Tables& tables);

}  // namespace isosan
