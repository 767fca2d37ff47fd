// Is a run the same when it is replayed along its own schedule? Everything that a hunt says later
// depends on that.
//
// Model: two runs are the same if every thread executes the same operations (sequences.h). Where one
// is not, the program depends on something besides its threads: the clock and random numbers can be
// fixed (Harness::fixed), the rest cannot.
#pragma once

#include <cstdint>
#include <string>

#include "hunt/execution.h"
#include "hunt/sequences.h"
#include "spec/region_rules.h"

namespace isosan {

// Replays `run`, of which `recorded` is, twice. Returns where a thread did something else, and what
// the program depends on; empty: nowhere.
std::string divergence_of(const Sequences& recorded, const Execution& run, const Harness& harness,
                          const RegionRules& rules);

// The inputs of log::World that such a run has asked for, and that should be fixed: those that can
// be and are not, unless a run with them fixed fails where this one passed.
std::uint32_t inputs_to_fix(const Execution& run, const Harness& harness);

}  // namespace isosan
