#include "runtime/platform/pool.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "runtime/platform/os.h"
#include "runtime/platform/spin_lock.h"

namespace isosan::rt {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr int kSmallest = 5;

struct FreeBlock {
  FreeBlock* next;
};

SpinLock pool_lock;
FreeBlock* free_blocks[64];
char* chunk;
std::size_t chunk_left;

int size_class(std::size_t bytes) {
  const int width = std::bit_width(bytes - 1);
  return width < kSmallest ? kSmallest : width;
}

}  // namespace

void* pool_allocate(std::size_t bytes) {
  const int order = size_class(bytes);
  const std::size_t size = std::size_t{1} << order;
  SpinGuard guard(pool_lock);
  if (FreeBlock* block = free_blocks[order]) {
    free_blocks[order] = block->next;
    memset(block, 0, size);
    return block;
  }
  if (size >= kChunk / 4) return map_pages(size);
  if (chunk_left < size) {
    chunk = static_cast<char*>(map_pages(kChunk));
    chunk_left = kChunk;
  }
  chunk_left = (chunk_left - size) & ~(size - 1);  // aligned to its size, up to a page
  return chunk + chunk_left;
}

void pool_free(void* block, std::size_t bytes) {
  if (block == nullptr) return;
  ISOSAN_DEBUG_CHECK(reinterpret_cast<std::uintptr_t>(block) % (std::uintptr_t{1} << kSmallest) ==
                     0);
  SpinGuard guard(pool_lock);
  auto* freed = static_cast<FreeBlock*>(block);
  freed->next = free_blocks[size_class(bytes)];
  free_blocks[size_class(bytes)] = freed;
}

}  // namespace isosan::rt
