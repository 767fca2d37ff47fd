// Synchronization objects come and go: to initialize or destroy one is to write it. Operations on it
// read it, for analyses that look at races (fasttrack.md).
#pragma once

#include <cstdint>

namespace isosan::rt {

// Before the real call. What was at this address is gone.
void object_changes(const volatile void* object, std::uint64_t place);

}  // namespace isosan::rt
