// Functions of the __tsan_* front that are regions. The reader sends their code ranges
// (log::RegionRange); a function is looked up by a program counter in it. A function that is not in
// the table may still be a region (calls/call_stack.h).
#pragma once

#include <cstdint>

#include "runtime/contract/log_format.h"

namespace isosan::rt {

// Of a module loaded at `base`; sorted. One module at a time.
void add_regions(std::uint64_t base, const log::RegionRange* ranges, std::uint32_t count);

bool is_region_at(std::uint64_t pc);
bool is_trampoline_at(std::uint64_t pc);  // contract/trampolines.h
// The function waits or notifies, or is a thread's entry, so it is no region from now on. False: it was not in the table.
bool remove_region_at(std::uint64_t pc);

}  // namespace isosan::rt
