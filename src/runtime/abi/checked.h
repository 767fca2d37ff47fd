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

constexpr std::uint64_t walk_place(std::uint64_t pc, AccessMode mode) {
  return pc | (mode == AccessMode::kWrite ? log::kWalkWrites : 0);
}

template <AccessMode mode>
constexpr Word claimed(Word w, Word tag, Word mask) {
  return mode == AccessMode::kWrite ? write_claimed(w, tag, mask) : read_claimed(w, tag, mask);
}

inline bool stays_in_granule(std::uint64_t address, std::uint64_t size) {
  return size <= 8 && (size == 1 || (address & 7) + size <= 8);
}

// An access that the thread may log by itself, if there is room: who waits for some between a check
// and its mark might lose the word. In a walk, or if those are not wanted like the pass.
inline void log_own_access(const Thread& t, AccessMode mode, std::uint64_t address,
                           std::uint64_t size, std::uint64_t pc) {
  if (gathers_walks(t)) [[likely]] {
    log_anew(t.block, walk_place(pc, mode), address, static_cast<std::uint32_t>(size));
  } else {
    append_event(t.appends, mode == AccessMode::kWrite ? Kind::kWrite : Kind::kRead, address, pc,
                 static_cast<std::uint8_t>(size));
  }
}

inline const Thread& thread_of(const ThreadBlock* block) {
  return *reinterpret_cast<const Thread*>(block->runtime);
}

// What the check of an access finds left to do.
enum class Left : std::uint8_t {
  kNothing,
  kLog,        // its own word: to be logged, then marked
  kLogShared,  // a read-shared one
  kClaim,
};

template <std::uint64_t size, AccessMode mode>
[[gnu::always_inline]] inline void log_and_mark(ThreadBlock* block, std::uint64_t address,
                                                std::uint64_t pc) {
  if (!has_room_beside_walks(thread_of(block).appends)) [[unlikely]]
    return slow_access(address, size, pc, mode);
  AtomicWord& word = shadow_word(address);
  log_own_access(thread_of(block), mode, address, size, pc);
  word.store(
      claimed<mode>(word.load(std::memory_order_relaxed), block->tag, byte_mask(address, size)),
      std::memory_order_release);
}

inline std::uint64_t& filter_at(ThreadBlock* block, std::uint64_t address) {
  return reinterpret_cast<std::uint64_t*>(block->filter)[filter_index(address)];
}

// A read-shared read that is in the log.
inline void note_logged_read(ThreadBlock* block, std::uint64_t& seen, std::uint64_t entry) {
  seen = entry;
  std::atomic_ref<std::uint64_t>(block->last_rdsh)
      .store(epoch_of(block->tag), std::memory_order_relaxed);
}

template <std::uint64_t size>
[[gnu::always_inline]] inline void log_shared_read(ThreadBlock* block, std::uint64_t address,
                                                   std::uint64_t pc) {
  if (!has_room_beside_walks(thread_of(block).appends)) [[unlikely]]
    return slow_access(address, size, pc, AccessMode::kRead);
  log_own_access(thread_of(block), AccessMode::kRead, address, size, pc);
  note_logged_read(block, filter_at(block, address),
                   filter_entry(address, byte_mask(address, size), block->filter_key));
}

// Is the access at [address, address + size) logged, or does it go on in an open walk? It may run
// after this, up to the next check.
template <std::uint64_t size, AccessMode mode>
[[gnu::always_inline]] inline Left what_is_left(ThreadBlock* block, std::uint64_t address,
                                                std::uint64_t pc) {
  constexpr bool kWrites = mode == AccessMode::kWrite;
  block->pending_address = address;
  block->pending_size = size;
  asm volatile("" ::: "memory");
  if (!stays_in_granule(address, size)) return Left::kClaim;
  if (block->poll.load(std::memory_order_relaxed) != 0) [[unlikely]]
    return Left::kClaim;
  AtomicWord& word = shadow_word(address);
  const Word w = word.load(std::memory_order_relaxed);
  const Word mask = byte_mask(address, size);
  if (kWrites ? write_hits(w, block->tag, mask) : read_hits(w, block->tag, mask))
    return Left::kNothing;
  const std::uint64_t place = walk_place(pc, mode);
  if (own(w, block->owner)) {
    if (!goes_on(walk_at(block, place), place, address)) return Left::kLog;
    word.store(claimed<mode>(w, block->tag, mask), std::memory_order_relaxed);
    return Left::kNothing;
  }
  if (kWrites || !shared_read_ordered(w, block->rdsh_limit)) return Left::kClaim;
  std::uint64_t& seen = filter_at(block, address);
  const std::uint64_t entry = filter_entry(address, mask, block->filter_key);
  if (filter_has(seen, entry)) return Left::kNothing;
  if (!goes_on(walk_at(block, place), place, address)) return Left::kLogShared;
  note_logged_read(block, seen, entry);
  return Left::kNothing;
}

template <std::uint64_t size, AccessMode mode>
[[gnu::always_inline]] inline void check(const volatile void* p, std::uint64_t pc) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  ThreadBlock* block = __isosan_self;
  switch (what_is_left<size, mode>(block, address, pc)) {
    case Left::kNothing:
      return;
    case Left::kLog:
      return log_and_mark<size, mode>(block, address, pc);
    case Left::kLogShared:
      return log_shared_read<size>(block, address, pc);
    case Left::kClaim:
      return slow_access(address, size, pc, mode);
  }
}

}  // namespace isosan::rt
