// The check of an access that is not inlined in the program: the sequence of fast_path.h as a
// function.
#pragma once

#include "runtime/contract/fast_path.h"
#include "runtime/log/log.h"
#include "runtime/shadow/shadow.h"
#include "runtime/thread/thread.h"

namespace isosan::rt {

void slow_access(std::uint64_t address, std::uint64_t size, std::uint64_t pc, Need mode);

constexpr std::uint64_t walk_place(std::uint64_t pc, Need mode) {
  return pc | (mode == Need::kWrite ? log::kWalkWrites : 0);
}

template <Need mode>
constexpr Word claimed(Word w, Word tag, Word mask, Word published) {
  return mode == Need::kWrite ? write_claimed(w, tag, mask) : read_claimed(w, tag, mask, published);
}

inline bool stays_in_granule(std::uint64_t address, std::uint64_t size) {
  return size <= 8 && (size == 1 || (address & 7) + size <= 8);
}

// Logs an access that the thread may log without asking another. Call it only if there is room: a
// thread that waits for room between a check and its mark might lose the word. The access goes into
// a walk; where walks are not wanted it is appended as the pass does.
inline void log_own_access(const Thread& t, Need mode, std::uint64_t address, std::uint64_t size,
                           std::uint64_t pc) {
  if (gathers_walks(t)) [[likely]] {
    log_anew(t.block, walk_place(pc, mode), address, static_cast<std::uint32_t>(size));
  } else {
    append_event(t.appends, mode == Need::kWrite ? Kind::kWrite : Kind::kRead, address, pc,
                 static_cast<std::uint8_t>(size));
  }
}

inline const Thread& thread_of(const ThreadBlock* block) {
  return *reinterpret_cast<const Thread*>(block->runtime);
}

// What remains to be done after the check of an access.
enum class Left : std::uint8_t {
  kNothing,
  kGoOn,       // it goes on in an open walk, but the word is unlike the one before
  kLog,        // its own word: to be logged, then marked
  kLogShared,  // a read-shared one
  kClaim,
};

// Another thread may have taken the word since the check. What is stored is made of a word that is
// still this thread's own and not held (rule 2). If the held bit of another thread were copied, it
// would stay after that thread is done, and all threads that want the word would wait for ever.
template <std::uint64_t size, Need mode>
[[gnu::always_inline]] inline void log_and_mark(ThreadBlock* block, std::uint64_t address,
                                                std::uint64_t pc) {
  AtomicWord& word = shadow_word(address);
  const Word w = word.load(std::memory_order_relaxed);
  if (!own(w, block->owner) || !has_room_beside_walks(thread_of(block).appends)) [[unlikely]]
    return slow_access(address, size, pc, mode);
  log_own_access(thread_of(block), mode, address, size, pc);
  word.store(claimed<mode>(w, block->tag, byte_mask(address, size), thread_of(block).published),
             std::memory_order_release);  // order: word
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
    return slow_access(address, size, pc, Need::kRead);
  log_own_access(thread_of(block), Need::kRead, address, size, pc);
  note_logged_read(block, filter_at(block, address),
                   filter_entry(address, byte_mask(address, size), block->filter_key));
}

// As an atomic it would need an instruction more.
inline bool is_polled(const ThreadBlock* block) {
  return *reinterpret_cast<const volatile std::uint32_t*>(&block->poll) != 0;
}

// A walk keeps words by half of the granule, only for accesses of 4 or 8 bytes.
template <std::uint64_t size>
inline constexpr bool kKeepsWords = size == 4 || size == 8;
template <std::uint64_t size>
inline std::uint64_t half_of(std::uint64_t address) {
  return size == 4 ? address >> 2 & 1 : 0;
}

// The word is exclusive, and the access no hit.
template <std::uint64_t size>
[[gnu::always_inline]] inline Left left_of_exclusive(ThreadBlock* block, AtomicWord& word, Word w,
                                                     std::uint64_t address, std::uint64_t place) {
  log::Walk& walk = walk_at(block, place);
  if (!comes_next(walk, place, address)) return own(w, block->owner) ? Left::kLog : Left::kClaim;
  if (!kKeepsWords<size> || w != walk.before[half_of<size>(address)]) [[unlikely]]
    return Left::kGoOn;
  word.store(walk.after[half_of<size>(address)], std::memory_order_relaxed);
  go_on(walk, address);
  return Left::kNothing;
}

template <std::uint64_t size, Need mode>
[[gnu::always_inline]] inline void go_on_anew(ThreadBlock* block, std::uint64_t address,
                                              std::uint64_t pc) {
  AtomicWord& word = shadow_word(address);
  const Word w = word.load(std::memory_order_relaxed);
  if (!own(w, block->owner)) return slow_access(address, size, pc, mode);
  log::Walk& walk = walk_at(block, walk_place(pc, mode));
  const Word after =
      claimed<mode>(w, block->tag, byte_mask(address, size), thread_of(block).published);
  if (kKeepsWords<size>) {
    walk.before[half_of<size>(address)] = w;
    walk.after[half_of<size>(address)] = after;
  }
  word.store(after, std::memory_order_relaxed);
  go_on(walk, address);
}

// The word is read-shared, or nobody's.
template <std::uint64_t size>
[[gnu::always_inline]] inline Left left_of_shared(ThreadBlock* block, Word w, std::uint64_t address,
                                                  std::uint64_t place) {
  if (!shared_read_ordered(w, block->rdsh_limit)) return Left::kClaim;
  std::uint64_t& seen = filter_at(block, address);
  const std::uint64_t entry = filter_entry(address, byte_mask(address, size), block->filter_key);
  if (filter_has(seen, entry)) return Left::kNothing;
  log::Walk& walk = walk_at(block, place);
  if (!comes_next(walk, place, address)) return Left::kLogShared;
  go_on(walk, address);
  note_logged_read(block, seen, entry);
  return Left::kNothing;
}

// Is the access at [address, address + size) logged, or does it go on in an open walk? It may run
// after this, up to the next check.
template <std::uint64_t size, Need mode>
[[gnu::always_inline]] inline Left what_is_left(ThreadBlock* block, std::uint64_t address,
                                                std::uint64_t pc) {
  constexpr bool kWrites = mode == Need::kWrite;
  block->pending_address = address;
  block->pending_size = size;
  asm volatile("" ::: "memory");
  if (!stays_in_granule(address, size)) return Left::kClaim;
  if (is_polled(block)) [[unlikely]]
    return Left::kClaim;
  AtomicWord& word = shadow_word_at(size == kGranule ? address : granule_of(address));
  const Word w = word.load(std::memory_order_relaxed);
  const Word mask = byte_mask(address, size);
  if (!kWrites && !is_exclusive(w))
    return left_of_shared<size>(block, w, address, walk_place(pc, mode));
  if (kWrites ? write_hits(w, block->tag, mask) : read_hits(w, block->tag, mask))
    return Left::kNothing;
  return left_of_exclusive<size>(block, word, w, address, walk_place(pc, mode));
}

template <std::uint64_t size, Need mode>
[[gnu::always_inline]] inline void check(const volatile void* p, std::uint64_t pc) {
  const auto address = reinterpret_cast<std::uint64_t>(p);
  ThreadBlock* block = __isosan_self;
  switch (what_is_left<size, mode>(block, address, pc)) {
    case Left::kNothing:
      return;
    case Left::kGoOn:
      return go_on_anew<size, mode>(block, address, pc);
    case Left::kLog:
      return log_and_mark<size, mode>(block, address, pc);
    case Left::kLogShared:
      return log_shared_read<size>(block, address, pc);
    case Left::kClaim:
      return slow_access(address, size, pc, mode);
  }
}

}  // namespace isosan::rt
