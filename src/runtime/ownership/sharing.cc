#include "runtime/ownership/sharing.h"

#include "runtime/shadow/pieces.h"

namespace isosan::rt {

bool raise_to_knowledge_of(const Slot& other, std::uint64_t own) {
  bool moved = raise(g_shared_clock.writers[other.index], own);
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i != other.index)
      moved |= raise(g_shared_clock.writers[i],
                     other.clock[i].load(std::memory_order_acquire));  // order: clock
  }
  return moved;
}

std::uint64_t next_counter(bool moved) {
  const std::uint64_t counter =
      g_shared_clock.counter.load(std::memory_order_relaxed) + (moved ? 1 : 0);
  if (moved) g_shared_clock.counter.store(counter, std::memory_order_release);  // order: clock
  return counter;
}

namespace {

// May the word become read-shared though this thread does not read it now? Then by whom and when it
// was written last, at the latest.
bool is_settled(const Thread& t, Word w, std::uint64_t& written) {
  if (!is_exclusive(w) || is_held(w)) return false;
  const bool own = is_own(t, w);
  written = is_written(w) ? epoch_of(w) : last_written(w);
  if (own) return written <= t.slot->published.load(std::memory_order_relaxed);
  return is_written(w) ? covers(t, slot_of(w), written) : needs_no_order(t, w);
}

// Of words that are shared together.
struct ToShare {
  AtomicWord* word;
  Word before;
  std::uint64_t written;
};

// The counter for these words: a thread whose limit reaches it may read them.
std::uint64_t counter_after_sharing(const ToShare* words, std::uint32_t count) {
  SpinGuard guard(g_shared_clock.lock);
  bool moved = false;
  std::uint32_t known = kNoSlot;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t owner = slot_of(words[i].before);
    if (!is_written(words[i].before))
      raise(g_shared_clock.former_readers[owner], epoch_of(words[i].before));
    moved |= owner == known ? raise(g_shared_clock.writers[owner], words[i].written)
                            : raise_to_knowledge_of(slot_at(owner), words[i].written);
    known = owner;
  }
  return next_counter(moved);
}

// So many lines around a word become read-shared with it, as a power of two. The number grows each
// time in the same page, until a word of the page is written to by itself. Pages share an entry.
constexpr std::uint64_t kLine = 8;
constexpr std::uint64_t kPage = 512;  // words
constexpr std::uint8_t kMostDoublings = 6;
static_assert(kLine << kMostDoublings == kPage);
constexpr std::uint64_t kPagesKept = 4096;
std::atomic<std::uint8_t> shared_lines[kPagesKept];
std::atomic<std::uint8_t>& shared_around(std::uint64_t address) {
  return shared_lines[address / (kPage * kGranule) % kPagesKept];
}

}  // namespace

std::uint64_t share_granules(Thread& t, std::uint64_t address, std::uint64_t count) {
  if (!g_mode.in_bulk || g_options.strict) return 0;
  AtomicWord* const at = &shadow_word(address);
  ToShare words[kSharedAtOnce];
  std::uint32_t found = 0;
  Word last = 0;
  std::uint64_t written = 0;
  bool settled = false;
  for (std::uint64_t i = 0; i < count && i < kSharedAtOnce; ++i) {
    const Word w = at[i].load(std::memory_order_acquire);  // order: word
    if (w != last) settled = is_settled(t, w, written);
    last = w;
    if (settled) words[found++] = {&at[i], w, written};
  }
  if (found == 0) return 0;
  const Word shared = kReadShared | counter_after_sharing(words, found);
  std::atomic_thread_fence(std::memory_order_acq_rel);  // order: word
  for (std::uint32_t i = 0; i < found; ++i)
    words[i].word->compare_exchange_strong(words[i].before, shared, std::memory_order_relaxed);
  return found;
}

namespace {

// Any at all?
bool share_all(Thread& t, std::uint64_t address, std::uint64_t count) {
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < count; i += kSharedAtOnce)
    found += share_granules(t, address + i * kGranule, count - i);
  return found != 0;
}

// Shares the pages beside one that was shared as a whole, as far as they are shared as a whole,
// too, and have a word that is not shared yet. Only pages in the same piece of the shadow, which is
// mapped if that of the first page is.
void share_pages_beside(Thread& t, std::uint64_t page, std::uint64_t step) {
  constexpr int kMost = 64;
  const std::uint64_t piece = piece_of(page);
  for (int i = 0; i < kMost; ++i) {
    page += step;
    const bool as_a_whole = shared_around(page).load(std::memory_order_relaxed) == kMostDoublings;
    if (!as_a_whole || piece_of(page) != piece || !share_all(t, page, kPage)) return;
  }
}

}  // namespace

void share_neighbours(Thread& t, std::uint64_t address) {
  std::atomic<std::uint8_t>& doublings = shared_around(address);
  const std::uint8_t now = doublings.load(std::memory_order_relaxed);
  const std::uint64_t count = kLine << now, first = address & ~(count * kGranule - 1);
  share_all(t, first, count);
  if (now < kMostDoublings) return doublings.store(now + 1, std::memory_order_relaxed);
  share_pages_beside(t, first, kPage * kGranule);
  share_pages_beside(t, first, -(kPage * kGranule));
}

void share_fewer(std::uint64_t address) {
  std::atomic<std::uint8_t>& doublings = shared_around(address);
  if (doublings.load(std::memory_order_relaxed) != 0) doublings.store(0, std::memory_order_relaxed);
}

}  // namespace isosan::rt
