// Definition 1 by brute force: project the run on each atomic set, ask whether some serial order of
// the units keeps the order of all conflicting accesses. Shares no line with the analysis.
//
// For programs of global objects (each a set of its own) with public and private member functions
// and free functions, annotated blocks and condition waits. Sets that one unit works on are one.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "event/event.h"
#include "event/tables.h"

namespace isosan::test {

// The names of the objects' classes, one group per merged set that is not serializable.
std::set<std::set<std::string>> violated_sets(const std::vector<Event>& events,
                                              const Tables& tables);

}  // namespace isosan::test
