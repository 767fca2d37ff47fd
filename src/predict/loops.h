// Iterations of loops as regions, derived from the run itself: no front tells where a loop begins.
//
// Model: one execution of a region, or a thread outside of all regions, goes through places: the
// sites of its own operations, and the regions that it enters. Where it comes back to a place, that
// place is the head of a loop, and an iteration lasts from one visit of the head to the next; the
// last one lasts to the end of what is around it. Inside an iteration the same rule finds the inner
// loops.
//
// Law: an operation keeps every region that it had; iterations only come in between.
// What that leaves out: the first place of a body that begins with a branch may change, and what
// follows a loop counts as part of its last iteration.
#pragma once

#include <span>

#include "predict/observed_run.h"

namespace isosan::predict {

// A new tree with the iterations in it; the operations' nodes are nodes of it afterwards.
RegionTree with_loop_iterations(const RegionTree& regions, std::span<const ThreadRun> threads,
                                std::span<Operation> operations);

}  // namespace isosan::predict
