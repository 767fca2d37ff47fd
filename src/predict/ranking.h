// The order in which schedules are tried, so that the first failure comes early.
//
// Model: a candidate has a cost; the cheapest go first. Cheap: deadlocks (rare, and a failure by
// themselves), accesses of one execution of one function, a stale read that is acted upon (RWR,
// RWW). Expensive: what the observed run has shown already, the same places or the same
// two functions again, other locks in the same window.
#pragma once

#include <vector>

#include "event/tables.h"
#include "predict/candidate.h"

namespace isosan::predict {

void rank(const ObservedRun& run, const Tables& tables, std::vector<Candidate>& candidates);

}  // namespace isosan::predict
