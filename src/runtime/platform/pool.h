// Memory of the runtime's own, never through malloc (which it intercepts). Blocks are powers of
// two; a freed block is used again for the same size. Nothing goes back to the kernel.
#pragma once

#include <cstddef>

namespace isosan::rt {

void* pool_allocate(std::size_t bytes);  // zeroed
void pool_free(void* block, std::size_t bytes);

}  // namespace isosan::rt
