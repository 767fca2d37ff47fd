// Iterations of loops as regions, derived from the run: no compiler front-end marks loops.
//
// Model: one execution of a region, or a thread outside of all regions, goes through places: the
// sites of its own operations, and the regions that it enters. If it returns to a place, that
// place is the head of a loop, and an iteration lasts from one visit of the head to the next; the
// last one lasts to the end of the enclosing region. Inside an iteration the same rule finds the
// inner loops.
//
// Law: an operation keeps every region that it had; iterations are only inserted in between.
// Limits: the first place of a body that begins with a branch may change, and what
// follows a loop counts as part of its last iteration.
#pragma once

#include <span>

#include "predict/observed_run.h"

namespace isosan::predict {

// A new tree that includes the iterations; `nodes` become those of the operations in it, by number.
RegionTree with_loop_iterations(const ObservedRun& run, std::span<NodeIndex> nodes);

}  // namespace isosan::predict
