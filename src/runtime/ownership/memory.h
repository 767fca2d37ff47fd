// Memory that changes its meaning: allocated, freed, mapped, a stack (architecture rule 8). The
// bytes are new locations. A thread that reuses them comes after the thread that freed them, in
// order only: there is no dependence.
#pragma once

#include <cstdint>

#include "runtime/thread/thread.h"

namespace isosan::rt {

// Called after the real allocation. The words become the thread's own. So a thread that gets the
// pointer without synchronization still comes after the allocation.
void memory_allocated(Thread& t, std::uint64_t address, std::uint64_t size, MemoryOrigin origin,
                      std::uint64_t place);
// A thread that starts may have the stack of one that has ended, whose end nothing else orders
// before it.
void stack_taken(Thread& t);
// Before the real free: like a write of the whole block.
void memory_freed(Thread& t, std::uint64_t address, std::uint64_t size, MemoryOrigin origin,
                  std::uint64_t place);

// The bytes are new locations though nobody allocated or freed them. The thread comes after all who
// have used them.
void memory_renewed(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place);

// The thread gets a piece of work that another could have got, or (size 0) no more of them. What it
// does next is logged again. In the log: allocate and free of no bytes, where its own stack begins
// and ends (analysis/singletrack/handed_out.h).
void work_handed_out(Thread& t, std::uint64_t own_stack, std::uint64_t size, std::uint64_t place);

}  // namespace isosan::rt
