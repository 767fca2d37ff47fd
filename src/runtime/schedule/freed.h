// The freed memory of a scheduled run. It is kept for a while and not used again, so that a thread
// that still uses it, or frees it once more, is found out whatever the allocator would have done.
//
// Model: a freed block is filled with kFreedByte and put into a queue, and its bytes are marked: a
// bit for 8 bytes, in a table by page. When the queue has more than kMostKept bytes, the oldest
// blocks go back to the allocator.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isosan::rt {

inline constexpr unsigned char kFreedByte = 0xdb;
inline constexpr std::size_t kMostKept = 32u << 20;

// Is any of these bytes in a block that is kept?
bool is_freed(std::uint64_t address, std::uint64_t size);
// False: the block is too big, or there is no room. The caller frees it.
bool keep_freed(void* block, std::size_t size);
// A block that is kept no longer, for the caller to free; null: none.
void* oldest_beyond_limit();

}  // namespace isosan::rt
