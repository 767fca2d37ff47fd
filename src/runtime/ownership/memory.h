// Memory that changes its meaning: allocated, freed, mapped, a stack (architecture rule 8). The
// bytes are new locations; who reuses them comes after who gave them up, in order only.
#pragma once

#include <cstdint>

#include "runtime/thread/thread.h"

namespace isosan::rt {

// After the real allocation. Its words become the thread's own, so that who gets the pointer
// without synchronization still comes after the allocation.
void memory_allocated(Thread& t, std::uint64_t address, std::uint64_t size, MemoryOrigin origin,
                      std::uint64_t place);
// A thread that starts may have the stack of one that has ended, whose end nothing else orders
// before it.
void stack_taken(Thread& t);
// Before the real free: like a write of the whole block.
void memory_freed(Thread& t, std::uint64_t address, std::uint64_t size, MemoryOrigin origin,
                  std::uint64_t place);

}  // namespace isosan::rt
