// Copies and fills of the program's memory, with their events; shared by the libc names and the
// __tsan_* ones.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isosan::rt {

void copy_bytes(void* to, const void* from, std::size_t n);  // no event
void* observed_copy(void* to, const void* from, std::size_t n, std::uint64_t place);
void* observed_fill(void* to, int byte, std::size_t n, std::uint64_t place);

}  // namespace isosan::rt
