// What atomizer says of an intended trace, and whether that hangs on the order of reads.
//
// The states of Fig. 13 depend on who comes first, even among reads. Their order is no order of the
// run to IsoSan: the log keeps that of conflicting operations. So a verdict is asked for only where
// other orders of what does not conflict lead to the same.
#pragma once

#include <optional>
#include <vector>

#include "event/event.h"

namespace isosan::test {

// Is there a finding? Nothing: in some of the orders that were tried there is, in others not.
std::optional<bool> warns_in_every_order(std::vector<Event> events, std::uint64_t seed);

}  // namespace isosan::test
