// The check of an access that is not inlined in the program: the sequence of fast_path.h as a
// function.
#pragma once

#include "runtime/abi/fast_path.h"
#include "runtime/log/log.h"
#include "runtime/shadow/shadow.h"

namespace isosan::rt {

enum class AccessMode { kRead, kWrite };

void slow_access(std::uint64_t address, std::uint64_t size, std::uint64_t pc, AccessMode mode);

// The access at [address, address + size) may run after this returns, up to the next check.
template <std::uint64_t size, AccessMode mode>
[[gnu::always_inline]] inline void check(const volatile void* p, std::uint64_t pc) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  ThreadBlock* block = __isosan_self;
  block->pending_address = address;
  block->pending_size = size;
  asm volatile("" ::: "memory");
  if (size <= 8 && (size == 1 || (address & 7) + size <= 8) &&
      block->poll.load(std::memory_order_relaxed) == 0) [[likely]] {
    AtomicWord& word = shadow_word(address);
    const Word w = word.load(std::memory_order_relaxed);
    const Word mask = byte_mask(address, size);
    constexpr bool kWrites = mode == AccessMode::kWrite;
    if (kWrites ? write_hits(w, block->tag, mask) : read_hits(w, block->tag, mask)) return;
    if (own(w, block->owner) && block->position != block->limit) {
      append_event(block, kWrites ? Kind::kWrite : Kind::kRead, address, pc, size);
      word.store(kWrites ? write_claimed(w, block->tag, mask) : read_claimed(w, block->tag, mask),
                 std::memory_order_release);
      return;
    }
  }
  slow_access(address, size, pc, mode);
}

}  // namespace isosan::rt
