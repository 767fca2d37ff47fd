// What atomizer says of an intended trace, and whether that depends on the order of events.
//
// The states of Fig. 13, and those of locks, depend on who comes first, even among reads and among
// readers of a lock. That order is no order of the run to IsoSan: the log keeps the order of
// operations that depend on each other (semantics.md), and no other. So a verdict is asked for
// only where other orders that keep it lead to the same. Nor is it where it depends on how late a
// thread last used what was its own: the runtime does not log that (atomizer.md, limits).
#pragma once

#include <optional>
#include <vector>

#include "event/event.h"

namespace isosan::test {

// Is there a finding? Nothing: in some of the orders that were tried there is, in others not.
std::optional<bool> warns_in_every_order(const std::vector<Event>& events, std::uint64_t seed);

}  // namespace isosan::test
