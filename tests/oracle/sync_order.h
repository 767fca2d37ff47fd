// Which earlier events an event comes after by synchronization alone: the rules of
// semantics.md (sync_effect.h, fork, join), simulated directly. Both oracles stand on it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "event/event.h"

namespace isosan::test {

// result[f]: the ordinals e < f, in other threads, of which f observes a slot (or fork, or join).
std::vector<std::vector<std::size_t>> sync_order(std::span<const Event> events);

}  // namespace isosan::test
