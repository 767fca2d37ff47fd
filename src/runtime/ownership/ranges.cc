// Many bytes at once: copies, and what a counted loop is about to access
// (pass/loops/counted_loops.h).
//
// Granules that the inline check would settle (mine, or read-shared and I am ordered after the
// writer) are settled here in the same way (settle.h); the others go through claim().
//
// Ranges seen. A range that was claimed in this epoch without waiting needs no check when it comes
// again in the same epoch: no thread takes a word of mine before my epoch is closed, and no thread
// writes to what I read. Only this thread's own malloc and free make the bytes new ones meanwhile;
// they count as another epoch here (forget_ranges).
#include "runtime/ownership/access.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/sharing.h"
#include "runtime/ownership/short_blocks.h"

namespace isosan::rt {
namespace {

struct Elements {
  std::uint64_t first;
  std::uint64_t count;
  std::int64_t stride;
  std::uint64_t size;

  std::uint64_t at(std::uint64_t i) const { return first + i * static_cast<std::uint64_t>(stride); }
};

struct Claimed {
  News news;
  bool ordered;
};

template <Touch touch>
Claimed claim_one(Thread& t, std::uint64_t address, Word mask) {
  AtomicWord& word = shadow_word(address);
  const Word w = word.load(std::memory_order_relaxed);
  const Settled s = settled<touch>(Mine(t), w, mask);
  if (!s.settled) {
    const bool was_read = touch == Touch::kUpdate && read_hits(w, t.block->tag, mask);
    const Outcome one = claim(t, address, mask, touch == Touch::kRead ? Need::kRead : Need::kWrite);
    const News all = was_read ? kWriteNews : news_of(touch);
    return {one.news ? all : 0, one.ordered};
  }
  if (is_read_shared(s.before)) note_shared_walk(t, address, 1);
  if (s.after != s.before) word.store(s.after, std::memory_order_release);  // order: word
  return {s.news, true};
}

SeenRange& slot_of(Thread& t, const Elements& e, Touch touch) {
  const std::uint64_t key = (e.first >> 3) + e.count * 31 + 7 * static_cast<std::uint64_t>(touch);
  return t.seen.ranges[(key * 0x9e3779b97f4a7c15u) >> (64 - kSeenRangeBits)];
}
SeenRange entry_of(Thread& t, const Elements& e, Touch touch) {
  return {e.first, e.count, e.stride, e.size << 2 | static_cast<std::uint64_t>(touch),
          epoch_of(t) + t.slot->forgotten_ranges.load(std::memory_order_relaxed)};
}

// Runs of neighbouring elements that are news are logged together: what they read, then what they
// write.
class RunLogger {
 public:
  RunLogger(Thread& t, const Places& places) : t_(t), places_(places) {}

  // Taken before the claim of what follows. If that claim writes a marker, what was claimed before
  // it is logged after the marker, which is where its access will run.
  std::uint64_t position() const { return t_.block->position; }
  bool continues(std::uint64_t position_before, News news) const {
    return news == news_ && t_.block->position == position_before;
  }
  void begin(News news) { news_ = news; }
  void log_block(std::uint64_t begin, std::uint64_t end) {
    if (begin == end) return;
    if (news_ & kReadNews) log_access(t_, Kind::kRead, begin, end - begin, places_.read);
    if (news_ & kWriteNews) log_access(t_, Kind::kWrite, begin, end - begin, places_.write);
  }
  void log_elements(const Elements& e) {
    if (news_ & kReadNews) log_elements(e, Kind::kRead, places_.read);
    if (news_ & kWriteNews) log_elements(e, Kind::kWrite, places_.write);
  }

 private:
  void log_elements(const Elements& e, Kind kind, std::uint64_t place) {
    constexpr std::uint64_t kShort = 4;  // a range takes three units
    if (e.count >= kShort && e.size < 256) {
      if (logs_accesses(t_)) append_strided(e, kind, place);
      return;
    }
    for (std::uint64_t i = 0; i < e.count; ++i) log_access(t_, kind, e.at(i), e.size, place);
  }
  void append_strided(const Elements& e, Kind kind, std::uint64_t place) {
    const log::LogUnit first =
        log::make_unit(log::code_of(kind), e.first, place, static_cast<std::uint8_t>(e.size));
    append<3>(t_.block, {first, number_unit(log::Code::kExtension, e.count),
                         number_unit(log::Code::kRange, static_cast<std::uint64_t>(e.stride))});
  }

  Thread& t_;
  const Places& places_;
  News news_ = 0;
};

// Whole granules from the first of `count` on that could be settled together.
template <Touch touch>
std::uint64_t settle_granules(RunSettler<touch>& settler, std::uint64_t address,
                              std::uint64_t count) {
  const AtomicWord* word = &shadow_word(address);
  const bool alternates = count >= 4 && word[0].load(std::memory_order_relaxed) !=
                                            word[1].load(std::memory_order_relaxed);
  return alternates ? 2 * settler.template settle<2>(address, kWholeGranule, 2, count / 2)
                    : settler.template settle<1>(address, kWholeGranule, 1, count);
}

// The same of those that come to this thread together.
template <Touch touch>
std::uint64_t take_granules(Thread& t, std::uint64_t address, std::uint64_t count, bool& ordered) {
  constexpr bool kReads = touch == Touch::kRead;
  const std::uint64_t covered =
      take_covered_granules(t, address, count, kReads ? Need::kRead : Need::kWrite);
  if (covered != 0) return covered;
  if (kReads) return call_or(std::uint64_t{0}, g_mode.read_together, t, address, count);
  const std::uint64_t shared = take_shared_granules(t, address, count);
  ordered &= shared == 0;  // it may have waited for readers
  return shared;
}

// The first granule of a block. If it becomes read-shared, so do those behind it.
template <Touch touch>
Claimed claim_first(Thread& t, std::uint64_t at, std::uint64_t end) {
  const std::uint64_t step = granule_part(at, end);
  const AtomicWord& word = shadow_word(at);
  const bool was_shared = is_read_shared(word.load(std::memory_order_relaxed));
  const Claimed one = claim_one<touch>(t, at, byte_mask(at, step));
  if (touch == Touch::kRead && !was_shared && is_read_shared(word.load(std::memory_order_relaxed)))
    share_granules(t, at + step, (end - at - step) / kGranule);
  return one;
}

// True: nothing had to be waited for.
template <Touch touch>
bool claim_block(Thread& t, std::uint64_t address, std::uint64_t size, const Places& places) {
  RunLogger logger(t, places);
  RunSettler<touch> settler(t);
  const std::uint64_t end = address + size;
  std::uint64_t run = address;  // [run, at) is not logged yet
  bool ordered = true;
  for (std::uint64_t at = address; at < end;) {
    const std::uint64_t before = logger.position();
    std::uint64_t step = granule_part(at, end);
    std::uint64_t alike =
        step == kGranule ? settle_granules(settler, at, (end - at) / kGranule) : 0;
    News news = settler.news();
    if (alike == 0 && step == kGranule) {
      alike = take_granules<touch>(t, at, (end - at) / kGranule, ordered);
      news = news_of(touch);
    }
    if (alike != 0) {
      step = alike * kGranule;
    } else {
      const Claimed one = claim_first<touch>(t, at, end);
      ordered &= one.ordered;
      news = one.news;
    }
    if (!logger.continues(before, news)) {
      logger.log_block(run, at);
      logger.begin(news);
      run = at;
    }
    at += step;
  }
  logger.log_block(run, end);
  return ordered;
}

template <Touch touch>
Claimed claim_element(Thread& t, std::uint64_t address, std::uint64_t size) {
  if ((address & 7) + size <= 8) return claim_one<touch>(t, address, byte_mask(address, size));
  Claimed all{0, true};
  for (std::uint64_t at = address, end = address + size; at < end;) {
    const std::uint64_t step = granule_part(at, end);
    const Claimed one = claim_one<touch>(t, at, byte_mask(at, step));
    all.news |= one.news;
    all.ordered &= one.ordered;
    at += step;
  }
  return all;
}

// The same for elements [i, ...) where all have the same bytes of their granules.
template <Touch touch>
std::uint64_t settle_elements(RunSettler<touch>& settler, const Elements& e, std::uint64_t i) {
  const std::uint64_t at = e.at(i);
  const std::uint64_t count = e.count - i;
  const std::int64_t step = e.stride / static_cast<std::int64_t>(kGranule);
  if (e.stride % static_cast<std::int64_t>(kGranule) != 0) return 0;
  if ((at & 7) + e.size <= 8) {
    return settler.template settle<1>(at, byte_mask(at, e.size), step, count);
  }
  if ((at & 7) != 0) return 0;
  switch (e.size) {
    case 16:
      return settler.template settle<2>(at, kWholeGranule, step, count);
    case 24:
      return settler.template settle<3>(at, kWholeGranule, step, count);
    case 32:
      return settler.template settle<4>(at, kWholeGranule, step, count);
    default:
      return 0;
  }
}

template <Touch touch>
bool claim_elements(Thread& t, const Elements& e, const Places& places) {
  RunLogger logger(t, places);
  RunSettler<touch> settler(t);
  std::uint64_t run = 0;  // elements [run, i) are not logged yet
  bool ordered = true;
  for (std::uint64_t i = 0; i < e.count;) {
    const std::uint64_t before = logger.position();
    std::uint64_t step = settle_elements(settler, e, i);
    News news = settler.news();
    if (step == 0) {
      const Claimed one = claim_element<touch>(t, e.at(i), e.size);
      ordered &= one.ordered;
      news = one.news;
      step = 1;
    }
    if (!logger.continues(before, news)) {
      logger.log_elements({e.at(run), i - run, e.stride, e.size});
      logger.begin(news);
      run = i;
    }
    i += step;
  }
  logger.log_elements({e.at(run), e.count - run, e.stride, e.size});
  return ordered;
}

bool is_block(const Elements& e) { return e.stride == 1 && e.size == 1; }

template <Touch touch>
bool claim_all(Thread& t, const Elements& e, const Places& places) {
  return is_block(e) ? claim_block<touch>(t, e.first, e.count, places)
                     : claim_elements<touch>(t, e, places);
}

template <Touch touch>
void claim_unless_seen(Thread& t, const Elements& e, const Places& places) {
  if (e.count * e.size <= kShortBlock) {
    claim_all<touch>(t, e, places);
    return;
  }
  SeenRange& seen = slot_of(t, e, touch);
  const SeenRange now = entry_of(t, e, touch);
  if (seen == now) return;
  seen = {};
  const std::uint64_t met_before = t.contended_uses;
  const bool ordered = claim_all<touch>(t, e, places);
  if (ordered && t.contended_uses == met_before && entry_of(t, e, touch) == now) seen = now;
}

// Full mode: one operation, one event.
template <Need need>
void access_in_full(Thread& t, const Elements& e, std::uint64_t place) {
  if (is_block(e)) {
    point(t, {e.first, e.count, need == Need::kWrite}), count_access(t);
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

template <Touch touch>
void access_elements(Thread& t, const Elements& e, const Places& places) {
  if (e.count == 0 || e.size == 0 || !g_options.arrays) return;
  if (e.count <= kShortBlock && is_block(e) && settle_few<touch>(t, {e.first, e.count}, places))
    return;
  poll(t);
  if (t.ignore > 0) return;
  make_noise(t);
  if (g_options.every_operation) [[unlikely]] {
    if (touch != Touch::kWrite) access_in_full<Need::kRead>(t, e, places.read);
    if (touch != Touch::kRead) access_in_full<Need::kWrite>(t, e, places.write);
    return;
  }
  point(t), count_access(t);
  claim_unless_seen<touch>(t, e, places);
}

// The stride of a loop may be known only now: it may stand still, or leave no gap.
template <Touch touch>
void strided(Thread& t, Elements e, const Places& places) {
  if (e.stride == 0 && e.count > 1) e.count = 1;
  const bool adjoins = !g_options.every_operation && e.stride == static_cast<std::int64_t>(e.size);
  access_elements<touch>(t, adjoins ? Elements{e.first, e.count * e.size, 1, 1} : e, places);
}

// Up to 16 bytes, what cannot be settled at once is one access.
template <Touch touch>
void range(Thread& t, std::uint64_t address, std::uint64_t size, const Places& places) {
  if (size == 0) return;
  if (size > 16) return access_elements<touch>(t, {address, size, 1, 1}, places);
  const bool in_one_word = (address & (kGranule - 1)) + size <= kGranule;
  if (in_one_word ? settle_one<touch>(t, address, size, places)
                  : settle_few<touch>(t, {address, size}, places))
    return;
  touch == Touch::kWrite ? slow_write(t, address, size, places.write)
                         : slow_read(t, address, size, places.read);
}

}  // namespace

void read_range(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place) {
  range<Touch::kRead>(t, address, size, {.read = place});
}
void write_range(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place) {
  range<Touch::kWrite>(t, address, size, {.write = place});
}
void update_range(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t read_place,
                  std::uint64_t write_place) {
  access_elements<Touch::kUpdate>(t, {address, size, 1, 1}, {read_place, write_place});
}
void read_strided(Thread& t, std::uint64_t first, std::uint64_t count, std::int64_t stride,
                  std::uint64_t size, std::uint64_t place) {
  strided<Touch::kRead>(t, {first, count, stride, size}, {.read = place});
}
void write_strided(Thread& t, std::uint64_t first, std::uint64_t count, std::int64_t stride,
                   std::uint64_t size, std::uint64_t place) {
  strided<Touch::kWrite>(t, {first, count, stride, size}, {.write = place});
}
void update_strided(Thread& t, std::uint64_t first, std::uint64_t count, std::int64_t stride,
                    std::uint64_t size, std::uint64_t read_place, std::uint64_t write_place) {
  strided<Touch::kUpdate>(t, {first, count, stride, size}, {read_place, write_place});
}

}  // namespace isosan::rt
