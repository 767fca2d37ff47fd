// Many bytes at once: copies, and what a counted loop is about to access (pass/counted_loops.h).
//
// Granules that the inline check would settle (mine, or read-shared and I am ordered after the
// writer) are settled here in the same way; the others go through claim().
//
// Ranges seen. A range that was claimed in this epoch without waiting for anybody needs nothing
// when it comes again in the same epoch: nobody takes a word of mine before my epoch is closed, and
// nobody writes to what I read. Only this thread's own malloc and free make the bytes new ones
// meanwhile; they count as another epoch here (forget_ranges).
#include "runtime/ownership/claim.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/noise.h"
#include "runtime/ownership/transfer.h"
#include "runtime/ownership/words.h"
#include "runtime/schedule/schedule.h"

namespace isosan::rt {
namespace {

constexpr Word kWholeGranule = 0xff;
constexpr std::uint64_t kShortest = 64;  // bytes; below, to claim is cheaper than to remember

struct Elements {
  std::uint64_t first;
  std::uint64_t count;
  std::int64_t stride;
  std::uint64_t size;

  std::uint64_t at(std::uint64_t i) const { return first + i * static_cast<std::uint64_t>(stride); }
};

void note_shared_read(Thread& t) {
  std::atomic_ref<std::uint64_t>(t.block->last_rdsh).store(epoch_of(t), std::memory_order_relaxed);
}

// The inline path of fast_path.h for a word that stands at `before`.
struct Settled {
  bool settled = false;  // false: claim() has to
  bool news = false;
  Word before = 0;
  Word after = 0;
};

[[gnu::always_inline]] inline Settled settled(const log::ThreadBlock& block, Word w, Word mask,
                                              Need need) {
  const bool writes = need == Need::kWrite;
  if (own(w, block.owner)) [[likely]] {
    if (writes ? write_hits(w, block.tag, mask) : read_hits(w, block.tag, mask)) {
      return {true, false, w, w};
    }
    return {true, true, w,
            writes ? write_claimed(w, block.tag, mask) : read_claimed(w, block.tag, mask)};
  }
  return {!writes && shared_read_ordered(w, block.rdsh_limit), true, w, w};
}

Outcome settle(Thread& t, std::uint64_t address, Word mask, Need need) {
  AtomicWord& word = shadow_word(address);
  const Settled s = settled(*t.block, word.load(std::memory_order_relaxed), mask, need);
  if (!s.settled) return claim(t, address, mask, need);
  if (is_read_shared(s.before)) note_shared_read(t);
  if (s.after != s.before) word.store(s.after, std::memory_order_release);
  return {s.news, true};
}

// Most words of an array stand alike, or every second one: what holds of the first element is done
// to all that follow and are equal to it.
class RunSettler {
 public:
  RunSettler(Thread& t, Need need) : t_(t), need_(need) {}

  // Of `count` elements of `words` words, `step` words apart, the first ones that stand alike are
  // settled: returns how many. 0: the first needs claim().
  template <int words>
  std::uint64_t settle(std::uint64_t address, Word mask, std::int64_t step, std::uint64_t count) {
    AtomicWord* at = &shadow_word(address);
    Settled s[words];
    bool shared = false;
    bool stores = false;
    news_ = false;
    for (int j = 0; j < words; ++j) {
      s[j] = settled(*t_.block, at[j].load(std::memory_order_relaxed), mask, need_);
      if (!s[j].settled) return 0;
      news_ |= s[j].news;
      shared |= is_read_shared(s[j].before);
      stores |= s[j].after != s[j].before;
    }
    if (shared) note_shared_read(t_);
    if (stores) fence();
    return stores ? settle_equals<words, true>(at, step, count, s)
                  : settle_equals<words, false>(at, step, count, s);
  }
  bool news() const { return news_; }  // of the last elements settled

 private:
  // What was logged so far is there before the tags are: in place of a releasing store for each.
  void fence() {
    if (fenced_at_ == t_.block->position) return;
    fenced_at_ = t_.block->position;
    std::atomic_thread_fence(std::memory_order_release);
  }

  template <int words, bool stores>
  static std::uint64_t settle_equals(AtomicWord* at, std::int64_t step, std::uint64_t count,
                                     const Settled (&s)[words]) {
    const auto element = [&](std::uint64_t i) { return at + static_cast<std::int64_t>(i) * step; };
    const auto difference = [&](std::uint64_t i) {
      Word bits = 0;
      for (int j = 0; j < words; ++j) {
        bits |= element(i)[j].load(std::memory_order_relaxed) ^ s[j].before;
      }
      return bits;
    };
    const auto store = [&](std::uint64_t i) {
      for (int j = 0; stores && j < words; ++j) {
        element(i)[j].store(s[j].after, std::memory_order_relaxed);
      }
    };
    std::uint64_t i = 0;
    for (; i + 4 <= count; i += 4) {
      if ((difference(i) | difference(i + 1) | difference(i + 2) | difference(i + 3)) != 0) break;
      store(i), store(i + 1), store(i + 2), store(i + 3);
    }
    for (; i < count && difference(i) == 0; ++i) store(i);
    return i;
  }

  Thread& t_;
  const Need need_;
  bool news_ = false;
  std::uint64_t fenced_at_ = ~std::uint64_t{0};
};

SeenRange& slot_of(Thread& t, const Elements& e, Need need) {
  const std::uint64_t key = (e.first >> 3) + e.count * 31 + (need == Need::kWrite ? 7 : 0);
  return t.seen_ranges[(key * 0x9e3779b97f4a7c15u) >> (64 - kSeenRangeBits)];
}
SeenRange entry_of(Thread& t, const Elements& e, Need need) {
  return {e.first, e.count, e.stride, e.size << 1 | (need == Need::kWrite ? 1u : 0u),
          epoch_of(t) + t.forgotten_ranges};
}

// Runs of neighbouring elements that are news are logged together.
class RunLogger {
 public:
  RunLogger(Thread& t, Need need, std::uint64_t place) : t_(t), need_(need), place_(place) {}

  // Before the claim of what follows: if a marker comes in between, what was claimed before it is
  // logged behind it, which is where its access will run.
  std::uint64_t position() const { return t_.block->position; }
  bool continues(std::uint64_t position_before, bool news) const {
    return news && t_.block->position == position_before;
  }
  void log_block(std::uint64_t begin, std::uint64_t end) {
    if (begin != end) log_access(t_, kind_of(need_), begin, end - begin, place_);
  }
  void log_elements(const Elements& e) {
    constexpr std::uint64_t kShort = 4;  // a range takes three units
    if (e.count >= kShort && e.size < 256) {
      if (g_log.logged) append_strided(e);
      return;
    }
    for (std::uint64_t i = 0; i < e.count; ++i) {
      log_access(t_, kind_of(need_), e.at(i), e.size, place_);
    }
  }

 private:
  void append_strided(const Elements& e) {
    const log::LogUnit first = log::make_unit(log::code_of(kind_of(need_)), e.first, place_,
                                              static_cast<std::uint8_t>(e.size));
    append<3>(t_.block, {first, number_unit(log::Code::kExtension, e.count),
                         number_unit(log::Code::kRange, static_cast<std::uint64_t>(e.stride))});
  }

  Thread& t_;
  const Need need_;
  const std::uint64_t place_;
};

// Whole granules from the first of `count` on that could be settled together.
std::uint64_t settle_granules(RunSettler& settler, std::uint64_t address, std::uint64_t count) {
  const AtomicWord* word = &shadow_word(address);
  const bool alternates = count >= 4 && word[0].load(std::memory_order_relaxed) !=
                                            word[1].load(std::memory_order_relaxed);
  return alternates ? 2 * settler.settle<2>(address, kWholeGranule, 2, count / 2)
                    : settler.settle<1>(address, kWholeGranule, 1, count);
}

// True: nothing had to be waited for.
bool claim_block(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place,
                 Need need) {
  RunLogger logger(t, need, place);
  RunSettler settler(t, need);
  const std::uint64_t end = address + size;
  std::uint64_t run = address;  // [run, at) is news and not logged yet
  bool ordered = true;
  for (std::uint64_t at = address; at < end;) {
    const std::uint64_t before = logger.position();
    std::uint64_t step = granule_part(at, end);
    const std::uint64_t alike =
        step == kGranule ? settle_granules(settler, at, (end - at) / kGranule) : 0;
    bool news = settler.news();
    if (alike != 0) {
      step = alike * kGranule;
    } else {
      const Outcome one = settle(t, at, byte_mask(at, step), need);
      ordered &= one.ordered;
      news = one.news;
    }
    if (!logger.continues(before, news)) {
      logger.log_block(run, at);
      run = news ? at : at + step;
    }
    at += step;
  }
  logger.log_block(run, end);
  return ordered;
}

Outcome claim_element(Thread& t, std::uint64_t address, std::uint64_t size, Need need) {
  if ((address & 7) + size <= 8) return settle(t, address, byte_mask(address, size), need);
  Outcome all{false, true};
  for (std::uint64_t at = address, end = address + size; at < end;) {
    const std::uint64_t step = granule_part(at, end);
    const Outcome one = settle(t, at, byte_mask(at, step), need);
    all.news |= one.news;
    all.ordered &= one.ordered;
    at += step;
  }
  return all;
}

// The same for elements [i, ...) where all have the same bytes of their granules.
std::uint64_t settle_elements(RunSettler& settler, const Elements& e, std::uint64_t i) {
  const std::uint64_t at = e.at(i);
  const std::uint64_t count = e.count - i;
  const std::int64_t step = e.stride / static_cast<std::int64_t>(kGranule);
  if (e.stride % static_cast<std::int64_t>(kGranule) != 0) return 0;
  if ((at & 7) + e.size <= 8) return settler.settle<1>(at, byte_mask(at, e.size), step, count);
  if ((at & 7) != 0) return 0;
  switch (e.size) {
    case 16:
      return settler.settle<2>(at, kWholeGranule, step, count);
    case 24:
      return settler.settle<3>(at, kWholeGranule, step, count);
    case 32:
      return settler.settle<4>(at, kWholeGranule, step, count);
    default:
      return 0;
  }
}

bool claim_elements(Thread& t, const Elements& e, std::uint64_t place, Need need) {
  RunLogger logger(t, need, place);
  RunSettler settler(t, need);
  std::uint64_t run = 0;  // elements [run, i) are news and not logged yet
  bool ordered = true;
  for (std::uint64_t i = 0; i < e.count;) {
    const std::uint64_t before = logger.position();
    std::uint64_t step = settle_elements(settler, e, i);
    bool news = settler.news();
    if (step == 0) {
      const Outcome one = claim_element(t, e.at(i), e.size, need);
      ordered &= one.ordered;
      news = one.news;
      step = 1;
    }
    if (!logger.continues(before, news)) {
      logger.log_elements({e.at(run), i - run, e.stride, e.size});
      run = news ? i : i + step;
    }
    i += step;
  }
  logger.log_elements({e.at(run), e.count - run, e.stride, e.size});
  return ordered;
}

bool is_block(const Elements& e) { return e.stride == 1 && e.size == 1; }

// Full mode: one operation, one event.
void access_in_full(Thread& t, const Elements& e, std::uint64_t place, Need need) {
  if (is_block(e)) {
    for (std::uint64_t at = e.first, end = e.first + e.count; at < end;) {
      const std::uint64_t step = granule_part(at, end);
      claim(t, at, byte_mask(at, step), need);
      at += step;
    }
    log_access(t, kind_of(need), e.first, e.count, place);
    return;
  }
  for (std::uint64_t i = 0; i < e.count; ++i) {
    need == Need::kWrite ? slow_write(t, e.at(i), e.size, place)
                         : slow_read(t, e.at(i), e.size, place);
  }
}

void access_elements(Thread& t, const Elements& e, std::uint64_t place, Need need) {
  if (e.count == 0 || e.size == 0) return;
  poll(t);
  if (t.ignore > 0) return;
  make_noise(t);
  if (!g_log.full || is_block(e)) point(t), count_access(t);
  if (g_log.full) return access_in_full(t, e, place, need);
  if (e.count * e.size <= kShortest) {
    is_block(e) ? claim_block(t, e.first, e.count, place, need) : claim_elements(t, e, place, need);
    return;
  }
  SeenRange& seen = slot_of(t, e, need);
  const SeenRange now = entry_of(t, e, need);
  if (seen == now) return;
  seen = {};
  const bool ordered = is_block(e) ? claim_block(t, e.first, e.count, place, need)
                                   : claim_elements(t, e, place, need);
  if (ordered && entry_of(t, e, need) == now) seen = now;
}

void range(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place, Need need) {
  if (size == 0) return;
  if (size > 16) return access_elements(t, {address, size, 1, 1}, place, need);
  need == Need::kWrite ? slow_write(t, address, size, place) : slow_read(t, address, size, place);
}

// The stride of a loop may be known only now: it may stand still, or leave no gap.
void strided(Thread& t, Elements e, std::uint64_t place, Need need) {
  if (e.stride == 0 && e.count > 1) e.count = 1;
  const bool adjoins = !g_log.full && e.stride == static_cast<std::int64_t>(e.size);
  access_elements(t, adjoins ? Elements{e.first, e.count * e.size, 1, 1} : e, place, need);
}

}  // namespace

void read_range(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place) {
  range(t, address, size, place, Need::kRead);
}
void write_range(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place) {
  range(t, address, size, place, Need::kWrite);
}
void read_strided(Thread& t, std::uint64_t first, std::uint64_t count, std::int64_t stride,
                  std::uint64_t size, std::uint64_t place) {
  strided(t, {first, count, stride, size}, place, Need::kRead);
}
void write_strided(Thread& t, std::uint64_t first, std::uint64_t count, std::int64_t stride,
                   std::uint64_t size, std::uint64_t place) {
  strided(t, {first, count, stride, size}, place, Need::kWrite);
}

}  // namespace isosan::rt
