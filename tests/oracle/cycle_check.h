// Is a reported cycle a cycle of the oracle's graph? Used on findings of analyses that report whole
// cycles (velodrome, doublechecker).
#pragma once

#include <span>
#include <string>

#include "event/finding.h"
#include "oracle/serializability_oracle.h"

namespace isosan::test {

// Empty if the finding's edges, in order, lead once round through different transactions of the
// oracle, each edge is a dependence or program order, each step is the event that stands at its
// ordinal, and each transaction is described rightly. Otherwise what is wrong.
std::string cycle_error(const Finding& finding, std::span<const Event> events,
                        const SerializabilityOracle& oracle);

}  // namespace isosan::test
