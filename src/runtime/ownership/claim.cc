#include "runtime/ownership/claim.h"

#include "runtime/ownership/sharing.h"

namespace isosan::rt {
namespace {

bool mark(const Thread& t, AtomicWord& word, Word w, Word mask, Need need) {
  ISOSAN_DEBUG_CHECK(is_own(t, w) && !is_held(w));  // rule 2
  const Word tag = actor_of(t).tag;
  const Word marked =
      need == Need::kWrite ? write_claimed(w, tag, mask) : read_claimed(w, tag, mask, t.published);
  return word.compare_exchange_weak(w, marked, std::memory_order_acq_rel);  // order: word
}

// The word is held. The last write may be in an epoch that the clock does not cover even now,
// because the order came by nothing but a marker. Then a read leaves the word WrEx: the next reader
// has to ask, too.
void take_from_owner(Thread& t, AtomicWord& word, std::uint64_t address, Word w, Word mask,
                     Need need) {
  ISOSAN_DEBUG_CHECK(is_exclusive(w) && !is_own(t, w));
  g_mode.order_after_owner(t, address, w, true);
  bump_outside_regions(t);
  Word next = taken_word(t, mask, need);
  if (need == Need::kRead) {
    if (covers(t, slot_of(w), epoch_of(w))) {
      call(g_mode.keep_writer, address, w);
    } else {
      next = base_word(t) | mask;
    }
  }
  give_up(word, next);
}

void take_from_readers(Thread& t, AtomicWord& word, std::uint64_t address, Word w, Word mask) {
  g_mode.order_after_readers(t, {address, 1}, counter_of(w));
  share_fewer(address);
  bump_outside_regions(t);
  give_up(word, taken_word(t, mask, Need::kWrite));
}

void share_with_owner(Thread& t, AtomicWord& word, std::uint64_t address, Word w, Word mask) {
  const Word shared = g_mode.share(t, address, w);
  bump_outside_regions(t);
  is_new_shared_read(t, address, mask);
  ISOSAN_CHECK(is_read_shared(shared));
  give_up(word, shared);
  share_neighbours(t, address);
}

}  // namespace

Outcome claim(Thread& t, std::uint64_t address, Word mask, Need need) {
  AtomicWord& word = shadow_word(address);
  const auto held = [&](Word w) {
    return hold(word, w) && !call_or(false, g_mode.keeps, t, address, w, need);
  };
  bool ordered = true;
  for (;;) {
    const Word w = word.load(std::memory_order_acquire);  // order: word
    switch (transition(w, actor_of(t), mask, need, covers_of(t))) {
      case Action::kNothing:
        return {false, ordered};
      case Action::kMark:
        if (mark(t, word, w, mask, need)) return {true, ordered};
        break;
      case Action::kTake:
        note_incoming_data(t);
        if (g_mode.take(t, address, w, taken_word(t, mask, need), need)) return {true, ordered};
        break;
      case Action::kOrderShared:
        if (!g_mode.order_after_writers(t, address, w)) break;
        bump_outside_regions(t);
        [[fallthrough]];
      case Action::kLogShared: {
        if (g_options.data_only) bump_outside_regions(t);
        const bool news = is_new_shared_read(t, address, mask);
        if (still_shared(t, address, word, w)) return {news, ordered};
        break;
      }
      case Action::kShare:
        if (!held(w)) break;
        share_with_owner(t, word, address, w, mask);
        return {true, ordered};
      case Action::kAskOwner:
        if (!held(w)) break;
        take_from_owner(t, word, address, w, mask, need);
        return {true, false};
      case Action::kAskReaders:
        if (!held(w)) break;
        take_from_readers(t, word, address, w, mask);
        return {true, false};
      case Action::kUseContended:
        ++t.contended_uses;
        return {g_mode.use_contended(t, address, mask, need, false), ordered};
      case Action::kWait:
        wait_while_held(t, word);
        ordered = false;
        break;
    }
  }
}

std::uint64_t take_covered_granules(Thread& t, std::uint64_t address, std::uint64_t count,
                                    Need need) {
  if (!g_mode.in_bulk) return 0;
  AtomicWord* const words = &shadow_word(address);
  const Word w = words[0].load(std::memory_order_acquire);  // order: word
  if (transition(w, actor_of(t), 0xff, need, covers_of(t)) != Action::kTake) return 0;
  note_incoming_data(t);
  const Word mine = taken_word(t, 0xff, need);
  std::uint64_t n = 0;
  std::atomic_thread_fence(std::memory_order_acq_rel);  // order: word; in place of one for each
  for (Word expected = w; n < count; ++n, expected = w) {
    if (!words[n].compare_exchange_strong(expected, mine, std::memory_order_relaxed)) break;
  }
  std::atomic_thread_fence(std::memory_order_acquire);  // order: word
  return n;
}

std::uint64_t take_shared_granules(Thread& t, std::uint64_t address, std::uint64_t count) {
  if (!g_mode.in_bulk) return 0;
  constexpr std::uint64_t kMost = 64;  // others wait for them
  AtomicWord* const words = &shadow_word(address);
  std::uint64_t n = 0, counter = 0;
  for (; n < count && n < kMost; ++n) {
    Word w = words[n].load(std::memory_order_relaxed);
    if (!is_read_shared(w) || is_held(w)) break;
    if (!words[n].compare_exchange_strong(w, w | kHeld, std::memory_order_relaxed)) break;
    counter = counter_of(w) > counter ? counter_of(w) : counter;
  }
  if (n == 0) return 0;
  std::atomic_thread_fence(std::memory_order_acq_rel);  // order: word
  g_mode.order_after_readers(t, {address, n}, counter);
  bump_outside_regions(t);
  const Word mine = taken_word(t, 0xff, Need::kWrite);
  for (std::uint64_t i = 0; i < n; ++i) give_up(words[i], mine);
  return n;
}

}  // namespace isosan::rt
