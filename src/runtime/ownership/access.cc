#include "runtime/ownership/access.h"

#include "runtime/ownership/claim.h"
#include "runtime/ownership/coordinate.h"

namespace isosan::rt {
namespace {

// An access that crosses the edge of a granule. While the thread waited for one granule, others may
// have taken those before it. So it claims again until it did not have to wait.
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
  point(t, {address, size, need == Need::kWrite});
  make_noise(t);
  count_access(t);
  const bool single = (address & 7) + size <= 8;
  const Outcome outcome = single ? claim(t, address, byte_mask(address, size), need)
                                 : claim_all(t, address, size, need);
  if (!outcome.news && !g_options.every_operation) return;
  if (single && logged == Logged::kInWalk && gathers_walks(t)) {
    log_in_walk(t.block, place | (need == Need::kWrite ? log::kWalkWrites : 0), address,
                static_cast<std::uint32_t>(size));
  } else {
    log_access(t, kind_of(need), address, size, place);
  }
}

}  // namespace

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
    const Word w = words[n].load(std::memory_order_acquire);  // order: word
    if (!is_read_shared(w) || is_held(w) || is_contended(w)) break;
    counter = counter_of(w) > counter ? counter_of(w) : counter;
    if (!g_mode.in_bulk) g_mode.order_after_readers(t, {address + n * kGranule, 1}, counter);
  }
  if (g_mode.in_bulk) g_mode.order_after_readers(t, {address, n}, counter);
  return n;
}

}  // namespace

void take_block(Thread& t, std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t at = address, end = address + size; at < end;) {
    AtomicWord& word = shadow_word(at);
    const Word w = word.load(std::memory_order_acquire);  // order: word
    switch (transition(w, actor_of(t), 0xff, Need::kWrite, covers_of(t))) {
      case Action::kWait:
        wait_while_held(t, word);
        continue;
      case Action::kAskReaders:
        at += kGranule * take_order_of_readers(t, at, (end - at + kGranule - 1) / kGranule);
        continue;
      case Action::kAskOwner:
        if (!hold(word, w)) continue;
        g_mode.order_after_owner(t, at, w, true);
        give_up(word, base_word(t));
        break;
      case Action::kNothing:
      case Action::kMark:
      case Action::kTake:
      case Action::kUseContended:  // its guard orders it, or nothing does
      case Action::kLogShared:
      case Action::kOrderShared:
      case Action::kShare:  // these three: reads only
        break;
    }
    at += kGranule;
  }
}

}  // namespace isosan::rt
