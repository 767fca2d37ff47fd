// What the inline check would settle (mine, or read-shared and I am ordered after the writer),
// settled for many words at once. Private to ranges.cc.
//
// Most words of an array are in the same state, or every second one is. So the result for the first
// element is applied to all following elements in an equal state. Adjacent words are compared and
// stored in pairs; each half of a pair is still one access to the processor.
#pragma once

#include "runtime/ownership/claim.h"
#include "runtime/ownership/words.h"

namespace isosan::rt {

// What a walk does to its elements. kUpdate: reads each, then writes it.
enum class Touch : std::uint8_t { kRead, kWrite, kUpdate };

// Which entries the log still lacks.
using News = unsigned;
inline constexpr News kReadNews = 1;
inline constexpr News kWriteNews = 2;

constexpr News news_of(Touch touch) {
  return touch == Touch::kRead    ? kReadNews
         : touch == Touch::kWrite ? kWriteNews
                                  : kReadNews | kWriteNews;
}

// The inline path of fast_path.h for a word that stands at `before`.
struct Settled {
  bool settled = false;  // false: claim() has to
  News news = 0;
  Word before = 0;
  Word after = 0;
};

// What the thread's block has of it.
struct Mine {
  explicit Mine(const Thread& t)
      : actor{t.block->tag, t.block->owner, t.block->rdsh_limit}, published(t.published) {}
  const Actor actor;
  const Word published;
};

template <Touch touch>
[[gnu::always_inline]] inline Settled settled(const Mine& mine, Word w, Word mask) {
  constexpr bool kWrites = touch != Touch::kRead;
  const auto covers = [](std::uint32_t, std::uint64_t) { return false; };  // claim() knows
  switch (transition(w, mine.actor, mask, kWrites ? Need::kWrite : Need::kRead, covers)) {
    case Action::kNothing:
      return {true, 0, w, w};
    case Action::kMark: {
      const bool was_read = touch == Touch::kUpdate && read_hits(w, mine.actor.tag, mask);
      return {true, was_read ? kWriteNews : news_of(touch), w,
              kWrites ? write_claimed(w, mine.actor.tag, mask)
                      : read_claimed(w, mine.actor.tag, mask, mine.published)};
    }
    case Action::kLogShared:
      return {true, kReadNews, w, w};
    case Action::kTake:
    case Action::kOrderShared:
    case Action::kShare:
    case Action::kAskOwner:
    case Action::kAskReaders:
    case Action::kUseContended:
    case Action::kWait:
      return {};
  }
  return {};
}

template <Touch touch>
class RunSettler {
 public:
  explicit RunSettler(Thread& t) : t_(t) {}

  // Of `count` elements of `words` words, `step` words apart, settles the first ones that are in
  // the same state. Returns how many. 0: the first needs claim().
  template <int words>
  std::uint64_t settle(std::uint64_t address, Word mask, std::int64_t step, std::uint64_t count) {
    AtomicWord* at = &shadow_word(address);
    const Mine mine(t_);
    Settled s[words];
    bool shared = false;
    bool stores = false;
    news_ = 0;
    for (int j = 0; j < words; ++j) {
      s[j] = settled<touch>(mine, at[j].load(std::memory_order_relaxed), mask);
      if (!s[j].settled) return 0;
      news_ |= s[j].news;
      shared |= is_read_shared(s[j].before);
      stores |= s[j].after != s[j].before;
    }
    if (stores) fence();
    const std::uint64_t n = stores ? settle_equals<words, true>(at, step, count, s)
                                   : settle_equals<words, false>(at, step, count, s);
    if (shared && n > 0) note_walk<words>(address, step, n);
    return n;
  }
  News news() const { return news_; }  // of the last elements settled

 private:
  template <int words>
  void note_walk(std::uint64_t address, std::int64_t step, std::uint64_t count) {
    const std::int64_t span = step * static_cast<std::int64_t>((count - 1) * kGranule);
    const std::uint64_t low = span < 0 ? address + static_cast<std::uint64_t>(span) : address;
    const std::uint64_t bytes = static_cast<std::uint64_t>(span < 0 ? -span : span);
    constexpr std::uint64_t kSparse = 16;  // words from one element to the next
    if (bytes > kSparse * kGranule * count && g_mode.in_bulk) {
      note_shared_read(t_);
      t_.slot->strode_rdsh.store(epoch_of(t_), std::memory_order_relaxed);
    } else {
      note_shared_walk(t_, low, bytes + words * kGranule);
    }
  }

  // What was logged so far is there before the tags are: in place of a releasing store for each.
  void fence() {
    if (fenced_at_ == t_.block->position) return;
    fenced_at_ = t_.block->position;
    std::atomic_thread_fence(std::memory_order_release);  // order: word
  }

  template <int words, bool stores>
  static std::uint64_t settle_equals(AtomicWord* at, std::int64_t step, std::uint64_t count,
                                     const Settled (&s)[words]) {
    std::uint64_t i = 0;
    if constexpr (words <= 2) {
      i = step == words ? settle_pairs<words, stores>(at, count, s)
                        : settle_apart<words, stores>(at, step, count, s);
      at += static_cast<std::int64_t>(i) * step;
    }
    for (; i < count; ++i, at += step) {
      Word bits = 0;
      for (int j = 0; j < words; ++j) bits |= at[j].load(std::memory_order_relaxed) ^ s[j].before;
      if (bits != 0) break;
      for (int j = 0; stores && j < words; ++j) {
        at[j].store(s[j].after, std::memory_order_relaxed);
      }
    }
    return i;
  }

  // Some elements at a time that are not adjacent, while they are in the same state; returns how
  // many.
  template <int words, bool stores>
  static std::uint64_t settle_apart(AtomicWord* at, std::int64_t step, std::uint64_t count,
                                    const Settled (&s)[words]) {
    constexpr std::uint64_t kAtOnce = 4;
    std::uint64_t i = 0;
    for (; i + kAtOnce <= count; i += kAtOnce) {
      AtomicWord *second = at + step, *third = second + step, *fourth = third + step;
      Word bits = 0;
      for (int j = 0; j < words; ++j) {
        bits |= (at[j].load(std::memory_order_relaxed) ^ s[j].before) |
                (second[j].load(std::memory_order_relaxed) ^ s[j].before) |
                (third[j].load(std::memory_order_relaxed) ^ s[j].before) |
                (fourth[j].load(std::memory_order_relaxed) ^ s[j].before);
      }
      if (bits != 0) break;
      for (int j = 0; stores && j < words; ++j) {
        at[j].store(s[j].after, std::memory_order_relaxed);
        second[j].store(s[j].after, std::memory_order_relaxed);
        third[j].store(s[j].after, std::memory_order_relaxed);
        fourth[j].store(s[j].after, std::memory_order_relaxed);
      }
      at = fourth + step;
    }
    return i;
  }

  // Eight adjacent words at a time, while they are in the same state; returns how many elements.
  template <int words, bool stores>
  static std::uint64_t settle_pairs(AtomicWord* at, std::uint64_t count,
                                    const Settled (&s)[words]) {
    using Pair [[gnu::vector_size(16), gnu::may_alias, gnu::aligned(8)]] = Word;
    constexpr int kPairs = 4;
    constexpr std::uint64_t kAtOnce = 2 * kPairs / words;
    const Pair before = {s[0].before, s[words - 1].before};
    const Pair after = {s[0].after, s[words - 1].after};
    Pair* pair = reinterpret_cast<Pair*>(at);  // not auto: that would forget the alignment
    std::uint64_t i = 0;
    for (; i + kAtOnce <= count; i += kAtOnce, pair += kPairs) {
      const Pair bits =
          (pair[0] ^ before) | (pair[1] ^ before) | (pair[2] ^ before) | (pair[3] ^ before);
      if ((bits[0] | bits[1]) != 0) break;
      for (int j = 0; stores && j < kPairs; ++j) pair[j] = after;
    }
    asm volatile("" ::: "memory");
    return i;
  }

  Thread& t_;
  News news_ = 0;
  std::uint64_t fenced_at_ = ~std::uint64_t{0};
};

}  // namespace isosan::rt
