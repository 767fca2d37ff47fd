// A trace recorded from a batch, cut into its programs and told in the terms of the intended
// traces.
#pragma once

#include <string>
#include <vector>

#include "differential/intended.h"
#include "differential/source_text.h"
#include "spec/region_rules.h"

namespace isosan::test {

// By program: the events between the call of its run() and its return that belong to its threads,
// regions and Objects. Threads are numbered by birth within the program. Throws std::runtime_error
// where the trace has events that cannot be told so.
std::vector<std::vector<RecordedEvent>> read_recording(const std::string& path,
                                                       const RegionRules& rules,
                                                       const SourceText& source,
                                                       std::size_t programs, Address objects);

}  // namespace isosan::test
