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

// The inline path of fast_path.h for one granule; without it claim().
[[gnu::always_inline]] inline Outcome settle(Thread& t, std::uint64_t address, Word mask,
                                             Need need) {
  log::ThreadBlock* block = t.block;
  AtomicWord& word = shadow_word(address);
  const Word w = word.load(std::memory_order_relaxed);
  const bool writes = need == Need::kWrite;
  if (own(w, block->owner)) [[likely]] {
    if (writes ? write_hits(w, block->tag, mask) : read_hits(w, block->tag, mask)) {
      return {false, true};
    }
    word.store(writes ? write_claimed(w, block->tag, mask) : read_claimed(w, block->tag, mask),
               std::memory_order_release);
    return {true, true};
  }
  if (!writes && shared_read_ordered(w, block->rdsh_limit)) {
    note_shared_read(t);
    return {true, true};
  }
  return claim(t, address, mask, need);
}

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

// True: nothing had to be waited for.
bool claim_block(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place,
                 Need need) {
  RunLogger logger(t, need, place);
  const std::uint64_t end = address + size;
  std::uint64_t run = address;  // [run, at) is news and not logged yet
  bool ordered = true;
  for (std::uint64_t at = address; at < end;) {
    const std::uint64_t step = granule_part(at, end);
    const std::uint64_t before = logger.position();
    const Outcome one = settle(t, at, byte_mask(at, step), need);
    ordered &= one.ordered;
    if (!logger.continues(before, one.news)) {
      logger.log_block(run, at);
      run = one.news ? at : at + step;
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

bool claim_elements(Thread& t, const Elements& e, std::uint64_t place, Need need) {
  RunLogger logger(t, need, place);
  std::uint64_t run = 0;  // elements [run, i) are news and not logged yet
  bool ordered = true;
  for (std::uint64_t i = 0; i < e.count; ++i) {
    const std::uint64_t before = logger.position();
    const Outcome one = claim_element(t, e.at(i), e.size, need);
    ordered &= one.ordered;
    if (!logger.continues(before, one.news)) {
      logger.log_elements({e.at(run), i - run, e.stride, e.size});
      run = one.news ? i : i + 1;
    }
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
