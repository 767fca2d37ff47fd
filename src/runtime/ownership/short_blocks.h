// Blocks of a few words: what a short loop walks over, what memcmp and the like look at. Private to
// ranges.cc.
#pragma once

#include "runtime/ownership/settle.h"

namespace isosan::rt {

inline constexpr Word kWholeGranule = 0xff;
// In bytes. Claiming a block up to this size again is cheaper than remembering that it was claimed.
inline constexpr std::uint64_t kShortBlock = 64;

// Whose accesses they are: sites, or program counters.
struct Places {
  std::uint64_t read = 0;
  std::uint64_t write = 0;
};

// The bytes of a short block in its words.
struct Block {
  Block(std::uint64_t from, std::uint64_t bytes)
      : address(from),
        size(bytes),
        words(((from & 7) + bytes + kGranule - 1) / kGranule),
        first(kWholeGranule << (from & 7) & kWholeGranule),
        last(kWholeGranule >> ((0 - from - bytes) & 7)) {}

  std::uint64_t granule(std::uint64_t i) const { return (address & ~std::uint64_t{7}) + 8 * i; }
  Word mask(std::uint64_t i) const {
    return (i == 0 ? first : kWholeGranule) & (i + 1 == words ? last : kWholeGranule);
  }

  const std::uint64_t address;
  const std::uint64_t size;
  const std::uint64_t words;
  const Word first;
  const Word last;
};

// is_new_shared_read() of all words that are read-shared.
inline News new_shared_reads(Thread& t, const Block& block, const Word* words) {
  bool any = false;
  note_shared_read(t);
  for (std::uint64_t i = 0; i < block.words; ++i) {
    if (is_read_shared(words[i])) any |= add_to_filter(t, block.granule(i), block.mask(i));
  }
  return any ? kReadNews : 0;
}

// Short blocks of one array follow each other (the rows of a sparse matrix), too far apart for the
// processor to see a stream: the next block is prefetched, memory and shadow.
inline void prefetch_behind(const Block& block) {
  constexpr std::uint64_t kAhead = 192;
  const std::uint64_t next = block.address + block.size + kAhead;
  __builtin_prefetch(reinterpret_cast<const void*>(next));
  __builtin_prefetch(reinterpret_cast<const void*>(shadow_address(next)));
}

// A short block of which every word is read-shared, and I am ordered after the writers. The words
// stay as they are; the entries in the filter are adjacent, those of whole granules all alike.
// False: nothing was done.
inline bool settle_shared(Thread& t, const Block& block, const AtomicWord* words,
                          std::uint64_t place) {
  const auto is_ordered = [&, limit = t.block->rdsh_limit](std::uint64_t i) {
    return shared_read_ordered(words[i].load(std::memory_order_relaxed), limit);
  };
  bool ordered = is_ordered(0);
  if (!ordered) return false;
  for (std::uint64_t i = 1; i < block.words; ++i) ordered &= is_ordered(i);
  const std::uint64_t slot = filter_index(block.address);
  if (!ordered || slot + block.words > kFilterEntries) return false;
  note_shared_read(t);
  std::uint64_t* const kept = t.slot->filter + slot;
  const std::uint64_t whole = filter_entry(block.address, kWholeGranule, t.block->filter_key);
  const std::uint64_t last = block.words - 1;
  bool any = add_to_filter(t, block.address, block.mask(0));
  if (last != 0) any |= add_to_filter(t, block.granule(last), block.mask(last));
  for (std::uint64_t i = 1; i < last; ++i) {
    any |= kept[i] != whole;
    kept[i] = whole;
  }
  if (any) log_access(t, Kind::kRead, block.address, block.size, place);
  return true;
}

inline void log_news(Thread& t, News news, std::uint64_t address, std::uint64_t size,
                     const Places& places) {
  if (news & kReadNews) log_access(t, Kind::kRead, address, size, places.read);
  if (news & kWriteNews) log_access(t, Kind::kWrite, address, size, places.write);
}

// Bytes of one word that the inline check would settle: most strings that are compared are no
// longer. False: nothing was done.
template <Touch touch>
[[gnu::always_inline]] inline bool settle_one(Thread& t, std::uint64_t address, std::uint64_t size,
                                              const Places& places) {
  const Mine mine(t);
  if (mine.actor.owner == kNeverOwner) return false;
  AtomicWord& word = shadow_word(address);
  const Word mask = byte_mask(address, size);
  const Settled s = settled<touch>(mine, word.load(std::memory_order_relaxed), mask);
  if (!s.settled) return false;
  News news = s.news;
  if (touch == Touch::kRead && is_read_shared(s.before)) {
    news = is_new_shared_read(t, address, mask) ? kReadNews : 0;
  } else if (s.after != s.before) {
    word.store(s.after, std::memory_order_release);  // order: word
  }
  if (news != 0) log_news(t, news, address, size, places);
  return true;
}

// A short block of which every word is one that the inline check would settle: the inline path of
// fast_path.h over all of them, and one entry for the block. False: nothing was done.
template <Touch touch>
bool settle_few(Thread& t, const Block& block, const Places& places) {
  if (t.block->owner == kNeverOwner) return false;
  constexpr std::uint64_t kMostWords = kShortBlock / kGranule + 1;
  Word before[kMostWords], after[kMostWords];
  const std::uint64_t count = block.words;
  const Mine mine(t);
  AtomicWord* const words = &shadow_word(block.address);
  prefetch_behind(block);
  if (touch == Touch::kRead && settle_shared(t, block, words, places.read)) return true;
  News news = 0;
  bool shared = false;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Settled s = settled<touch>(mine, words[i].load(std::memory_order_relaxed), block.mask(i));
    if (!s.settled) return false;
    before[i] = s.before;
    after[i] = s.after;
    const bool nobodys = touch == Touch::kRead && is_read_shared(s.before);
    shared |= nobodys;
    news |= nobodys ? 0 : s.news;
  }
  if (shared) news |= new_shared_reads(t, block, before);
  if (news == 0) return true;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (after[i] != before[i]) words[i].store(after[i], std::memory_order_release);  // order: word
  }
  log_news(t, news, block.address, block.size, places);
  return true;
}

}  // namespace isosan::rt
