// Functions of the __tsan_* front that are regions: the reader has told (log::RegionRange), found
// by a program counter in them. What is not here may be a region all the same (calls/call_stack.h).
#pragma once

#include <cstdint>

#include "runtime/contract/log_format.h"

namespace isosan::rt {

// Of a module loaded at `base`; sorted. One module at a time.
void add_regions(std::uint64_t base, const log::RegionRange* ranges, std::uint32_t count);

bool is_region_at(std::uint64_t pc);
// It waits or notifies: it is none any more. False: it was not here.
bool remove_region_at(std::uint64_t pc);

}  // namespace isosan::rt
