// The steps of which transfers are made: holding a word, and what is kept of reads of shared words.
//
// Only the thread that holds a word (kHeld) may store to it; others wait, at a safe point. A held
// word keeps its old owner beside the bit.
#pragma once

#include <cstdint>

#include "runtime/platform/check.h"
#include "runtime/shadow/shadow.h"
#include "runtime/thread/thread.h"

namespace isosan::rt {

// The word of memory that is this thread's own, with nothing logged yet.
inline Word base_word(const Thread& t) { return make_tag(t.slot->index, epoch_of(t)) & ~kMasks; }
// The word as it comes to this thread from another, for an access to the bytes of `mask`.
inline Word taken_word(const Thread& t, Word mask, Need need) {
  return need == Need::kWrite ? base_word(t) | mask << kWriteMaskShift | mask
                              : (base_word(t) & ~kWriteBit) | kClean | mask;
}
inline bool is_own(const Thread& t, Word w) { return own(w, make_owner(t.slot->index)); }
constexpr Kind kind_of(Need need) { return need == Need::kWrite ? Kind::kWrite : Kind::kRead; }

// Acquire, so that what the last owner stored is seen; release, so that a thread that finds
// the bit sees all that this one did before.
inline bool hold(AtomicWord& word, Word expected) {
  ISOSAN_DEBUG_CHECK(!is_held(expected));  // nobody holds what another holds
  return word.compare_exchange_strong(expected, expected | kHeld,
                                      std::memory_order_acq_rel);  // order: word
}
void wait_while_held(Thread& t, AtomicWord& word);
// Rule 10: only the holder stores to a held word, and what it stores is not held. Where compiled
// code marks words of its own by a plain store, that store may wipe the bit out (runtime.md,
// "What is guaranteed").
inline void give_up(AtomicWord& word, Word next) {
  ISOSAN_CHECK(!is_held(next));
  ISOSAN_CHECK(g_options.claims_inline || is_held(word.load(std::memory_order_relaxed)));
  word.store(next, std::memory_order_release);  // order: word
}

// An ordered transfer brought data in. Outside regions that ends the epoch in two cases: where
// synchronization is no dependence, and where the order may come from a marker that was written for
// other data. Such a marker orders everything that the other thread had done by then, but stands
// for one dependence only.
void note_incoming_data(Thread& t);
bool orders_exceed_dependences();  // may a clock cover what no dependence leads from?
void note_data_marker();           // one was written

struct Granules {
  std::uint64_t address;  // of the first
  std::uint64_t count;
};

// This thread reads read-shared words in this epoch.
inline void note_shared_read(Thread& t) {
  std::atomic_ref<std::uint64_t>(t.block->last_rdsh).store(epoch_of(t), std::memory_order_relaxed);
}
inline std::atomic<std::uint64_t>& walked_page(const Slot& slot, std::uint64_t address) {
  return slot.walked_rdsh[address / kWalkedPageBytes % kWalkedPages];
}
// The same where they are not put into the filter.
inline void note_shared_walk(Thread& t, std::uint64_t address, std::uint64_t bytes) {
  note_shared_read(t);
  const std::uint64_t first = address & ~(kWalkedPageBytes - 1);
  const std::uint64_t most = kWalkedPages * kWalkedPageBytes;
  const std::uint64_t end = address + bytes - first < most ? address + bytes : first + most;
  for (std::uint64_t at = first; at < end; at += kWalkedPageBytes) {
    walked_page(*t.slot, at).store(epoch_of(t), std::memory_order_relaxed);
  }
}
// True: this read of a read-shared word was not in the filter. Puts it there.
inline bool add_to_filter(Thread& t, std::uint64_t address, Word mask) {
  const std::uint64_t entry = filter_entry(address, mask, t.block->filter_key);
  std::uint64_t& kept = t.slot->filter[filter_index(address)];
  if (filter_has(kept, entry)) return false;
  kept = entry;
  return true;
}
// True: this read of a read-shared word is not in the log yet. Marks it as being there.
inline bool is_new_shared_read(Thread& t, std::uint64_t address, Word mask) {
  note_shared_read(t);
  return add_to_filter(t, address, mask);
}
// Called after is_new_shared_read: is `word` still `seen`? It is read after a fence that follows
// the note of this read (order_after_readers has the other fence). For one place of the filter one
// fence per epoch is enough.
inline bool still_shared(Thread& t, std::uint64_t address, const AtomicWord& word, Word seen) {
  const std::uint64_t place = filter_index(address);
  FencedRead& fenced = t.shared.fenced[place % kFencedReads];
  if (fenced.place == place && fenced.epoch == epoch_of(t)) return true;
  std::atomic_thread_fence(std::memory_order_seq_cst);  // order: readers
  fenced = {place, epoch_of(t)};
  return word.load(std::memory_order_relaxed) == seen;
}
void count_access(Thread& t);

// How many bytes of [at, end) lie in the granule of `at`.
inline std::uint64_t granule_part(std::uint64_t at, std::uint64_t end) {
  const std::uint64_t room = kGranule - (at & (kGranule - 1));
  return end - at < room ? end - at : room;
}

}  // namespace isosan::rt
