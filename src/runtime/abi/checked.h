// The check of an access that is not inlined in the program: the sequence of fast_path.h as a
// function.
#pragma once

#include "runtime/abi/fast_path.h"
#include "runtime/log/log.h"
#include "runtime/ownership/thread.h"
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
    const Thread* t = reinterpret_cast<const Thread*>(block->runtime);
    if (own(w, block->owner) && t->appends->position != t->appends->limit) {
      append_event(t->appends, kWrites ? Kind::kWrite : Kind::kRead, address, pc, size);
      word.store(kWrites ? write_claimed(w, block->tag, mask) : read_claimed(w, block->tag, mask),
                 std::memory_order_release);
      return;
    }
    if (!kWrites && shared_read_ordered(w, block->rdsh_limit)) {
      std::uint64_t& seen = reinterpret_cast<std::uint64_t*>(block->filter)[filter_index(address)];
      const std::uint64_t entry = filter_entry(address, mask, block->filter_key);
      if (filter_has(seen, entry)) return;
      if (t->appends->position != t->appends->limit) {
        append_event(t->appends, Kind::kRead, address, pc, size);
        seen = entry;
        std::atomic_ref<std::uint64_t>(block->last_rdsh)
            .store(epoch_of(block->tag), std::memory_order_relaxed);
        return;
      }
    }
  }
  slow_access(address, size, pc, mode);
}

}  // namespace isosan::rt
