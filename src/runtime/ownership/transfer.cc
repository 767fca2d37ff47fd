#include "runtime/ownership/transfer.h"

#include "runtime/modes/locksets.h"
#include "runtime/modes/noise.h"
#include "runtime/ownership/claim.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/read_shared.h"
#include "runtime/ownership/words.h"
#include "runtime/schedule/schedule.h"

namespace isosan::rt {
namespace {

// The word as it comes to this thread from another, whom its clock covers.
Word claimed(const Thread& t, Word mask, Need need) {
  return need == Need::kWrite ? base_word(t) | mask << kWriteMaskShift | mask
                              : (base_word(t) & ~kWriteBit) | kClean | mask;
}

Outcome claim_read(Thread& t, std::uint64_t address, Word mask) {
  AtomicWord& word = shadow_word(address);
  bool ordered = true;
  for (;;) {
    Word w = word.load(std::memory_order_acquire);
    const Word tag = make_tag(t.slot->index, epoch_of(t));
    if (is_held(w)) {
      wait_while_held(t, word);
      ordered = false;
    } else if (read_hits(w, tag, mask)) {
      return {false, ordered};
    } else if (is_contended(w)) {
      return {is_news_of_contended(t, address, mask, Need::kRead), ordered};
    } else if (is_read_shared(w)) {
      if (counter_of(w) > t.rdsh_limit) {
        if (g_log.locksets && !comes_after_writer(t, address, w)) {
          if (hold(word, w)) contend(t, address, w, Need::kRead);
          continue;
        }
        order_after_shared_writers(t, address);
        bump_outside_regions(t);
      }
      if (g_log.sync_edges_off) bump_outside_regions(t);
      const bool news = is_new_shared_read(t, address, mask);
      if (still_shared(t, address, word, w)) return {news, ordered};
    } else if (w == 0 || is_own(t, w) || covers(t, slot_of(w), epoch_of(w))) {
      const bool mine = w != 0 && is_own(t, w);
      if (!mine) note_incoming_data(t);
      if (!mine && g_log.unordered != nullptr) {
        if (!hold(word, w)) continue;
        if (w != 0 && contend(t, address, w, Need::kRead)) continue;
        keep_last_writer(address, w);
        word.store(claimed(t, mask, Need::kRead), std::memory_order_release);
        return {true, ordered};
      }
      const Word next =
          mine ? read_claimed(w, tag, mask, t.published) : claimed(t, mask, Need::kRead);
      if (word.compare_exchange_weak(w, next, std::memory_order_acq_rel)) return {true, ordered};
    } else if (hold(word, w)) {
      if (contend(t, address, w, Need::kRead)) continue;
      if (is_written(w)) {
        order_after_owner(t, address, w, true);
        bump_outside_regions(t);
        const bool covered = covers(t, slot_of(w), epoch_of(w));  // or come after by a marker alone
        if (covered) keep_last_writer(address, w);
        word.store(covered ? claimed(t, mask, Need::kRead) : base_word(t) | mask,
                   std::memory_order_release);
        return {true, false};
      }
      const Word shared = make_read_shared(t, address, w);
      bump_outside_regions(t);
      is_new_shared_read(t, address, mask);
      word.store(shared, std::memory_order_release);
      share_neighbours(t, address);
      return {true, ordered};
    }
  }
}

Outcome claim_write(Thread& t, std::uint64_t address, Word mask) {
  AtomicWord& word = shadow_word(address);
  bool ordered = true;
  for (;;) {
    Word w = word.load(std::memory_order_acquire);
    const Word tag = make_tag(t.slot->index, epoch_of(t));
    if (is_held(w)) {
      wait_while_held(t, word);
      ordered = false;
    } else if (write_hits(w, tag, mask)) {
      return {false, ordered};
    } else if (is_contended(w)) {
      return {is_news_of_contended(t, address, mask, Need::kWrite), ordered};
    } else if (is_read_shared(w)) {
      if (!hold(word, w)) continue;
      if (contend(t, address, w, Need::kWrite)) continue;
      order_after_readers(t, {address, 1}, counter_of(w));
      share_fewer(address);
      bump_outside_regions(t);
      word.store(claimed(t, mask, Need::kWrite), std::memory_order_release);
      return {true, false};
    } else if (w == 0 || is_own(t, w) || covers(t, slot_of(w), epoch_of(w))) {
      const bool mine = w != 0 && is_own(t, w);
      if (!mine) note_incoming_data(t);
      if (!mine && w != 0 && g_log.locksets) {
        if (!hold(word, w)) continue;
        if (contend(t, address, w, Need::kWrite)) continue;
        word.store(claimed(t, mask, Need::kWrite), std::memory_order_release);
        return {true, ordered};
      }
      const Word next = mine ? write_claimed(w, tag, mask) : claimed(t, mask, Need::kWrite);
      if (word.compare_exchange_weak(w, next, std::memory_order_acq_rel)) return {true, ordered};
    } else if (hold(word, w)) {
      if (contend(t, address, w, Need::kWrite)) continue;
      order_after_owner(t, address, w, true);
      bump_outside_regions(t);
      word.store(claimed(t, mask, Need::kWrite), std::memory_order_release);
      return {true, false};
    }
  }
}

// An access over a granule's edge: if one granule had to be waited for, those before may have been
// taken away meanwhile; claim again until nothing had to be waited for.
Outcome claim_all(Thread& t, std::uint64_t address, std::uint64_t size, Need need) {
  Outcome all{false, false};
  for (int attempt = 0; !all.ordered && attempt < 100; ++attempt) {
    all.ordered = true;
    for (std::uint64_t at = address, end = address + size; at < end;) {
      if (need == Need::kWrite && at % kGranule == 0 && end - at >= 2 * kGranule) {
        const std::uint64_t taken = take_shared_granules(t, at, (end - at) / kGranule);
        if (taken != 0) {
          all.news = true;
          if (at != address) all.ordered = false;  // it may have waited for readers
          at += taken * kGranule;
          continue;
        }
      }
      const std::uint64_t step = granule_part(at, end);
      const Outcome one = claim(t, at, byte_mask(at, step), need);
      all.news |= one.news;
      if (at != address) all.ordered &= one.ordered;
      at += step;
    }
  }
  return all;
}

void access(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place, Need need,
            Logged logged) {
  poll(t);
  if (t.ignore > 0) return;
  point(t);
  make_noise(t);
  count_access(t);
  const bool single = (address & 7) + size <= 8;
  const Outcome outcome = single ? claim(t, address, byte_mask(address, size), need)
                                 : claim_all(t, address, size, need);
  if (!outcome.news && !g_log.full) return;
  if (single && logged == Logged::kInWalk && gathers_walks(t)) {
    log_in_walk(t.block, place | (need == Need::kWrite ? log::kWalkWrites : 0), address,
                static_cast<std::uint32_t>(size));
  } else {
    log_access(t, kind_of(need), address, size, place);
  }
}

}  // namespace

Outcome claim(Thread& t, std::uint64_t address, Word mask, Need need) {
  return need == Need::kWrite ? claim_write(t, address, mask) : claim_read(t, address, mask);
}

std::uint64_t take_covered_granules(Thread& t, std::uint64_t address, std::uint64_t count,
                                    Need need) {
  if (g_log.unordered != nullptr) return 0;
  AtomicWord* const words = &shadow_word(address);
  const Word w = words[0].load(std::memory_order_acquire);
  const bool anothers = is_exclusive(w) && !is_held(w) && !is_own(t, w);
  if (w != 0 && !(anothers && covers(t, slot_of(w), epoch_of(w)))) return 0;
  note_incoming_data(t);
  const Word mine = claimed(t, 0xff, need);
  std::uint64_t n = 0;
  std::atomic_thread_fence(std::memory_order_acq_rel);  // in place of one for each
  for (Word expected = w; n < count; ++n, expected = w) {
    if (!words[n].compare_exchange_strong(expected, mine, std::memory_order_relaxed)) break;
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  return n;
}

std::uint64_t take_shared_granules(Thread& t, std::uint64_t address, std::uint64_t count) {
  if (g_log.unordered != nullptr) return 0;
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
  std::atomic_thread_fence(std::memory_order_acq_rel);
  order_after_readers(t, {address, n}, counter);
  bump_outside_regions(t);
  const Word mine = claimed(t, 0xff, Need::kWrite);
  for (std::uint64_t i = 0; i < n; ++i) words[i].store(mine, std::memory_order_release);
  return n;
}

void slow_read(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place,
               Logged logged) {
  access(t, address, size, place, Need::kRead, logged);
}
void slow_write(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place,
                Logged logged) {
  access(t, address, size, place, Need::kWrite, logged);
}
namespace {

// The first ones of `count` granules that are read-shared: this thread comes after their readers.
std::uint64_t take_order_of_readers(Thread& t, std::uint64_t address, std::uint64_t count) {
  const AtomicWord* const words = &shadow_word(address);
  std::uint64_t n = 0, counter = 0;
  for (; n < count; ++n) {
    const Word w = words[n].load(std::memory_order_acquire);
    if (!is_read_shared(w) || is_held(w) || is_contended(w)) break;
    counter = counter_of(w) > counter ? counter_of(w) : counter;
    if (g_log.unordered != nullptr) order_after_readers(t, {address + n * kGranule, 1}, counter);
  }
  if (g_log.unordered == nullptr) order_after_readers(t, {address, n}, counter);
  return n;
}

}  // namespace

void take_block(Thread& t, std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t at = address, end = address + size; at < end;) {
    AtomicWord& word = shadow_word(at);
    const Word w = word.load(std::memory_order_acquire);
    if (is_held(w)) {
      wait_while_held(t, word);
      continue;
    }
    if (is_contended(w)) {
      // Its guard orders it, or nothing does.
    } else if (is_read_shared(w)) {
      at += kGranule * take_order_of_readers(t, at, (end - at + kGranule - 1) / kGranule);
      continue;
    } else if (w != 0 && !is_own(t, w) && !covers(t, slot_of(w), rt::epoch_of(w))) {
      if (!hold(word, w)) continue;
      order_after_owner(t, at, w, true);
      word.store(base_word(t), std::memory_order_release);
    }
    at += kGranule;
  }
}

}  // namespace isosan::rt
