// Which schedule to try first: few executions to the first failure.
//
// Model: a candidate has a cost; the cheapest go first. Cheap: deadlocks (rare, and a failure by
// themselves), accesses of one execution of one function, a stale read that is acted upon (RWR,
// RWW). Dear: what the observed run has shown already, the same places of the program or the same
// two functions again, other locks at the same window.
#pragma once

#include <vector>

#include "event/tables.h"
#include "predict/candidate.h"

namespace isosan::predict {

void rank(const ObservedRun& run, const Tables& tables, std::vector<Candidate>& candidates);

}  // namespace isosan::predict
