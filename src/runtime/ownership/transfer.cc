#include "runtime/ownership/transfer.h"

#include "runtime/ownership/coordinate.h"
#include "runtime/platform/arch.h"
#include "runtime/platform/os.h"
#include "runtime/platform/spin_lock.h"
#include "runtime/shadow/shadow.h"

namespace isosan::rt {
namespace {

enum class Need { kRead, kWrite };

// Rule 6. rdsh_clock(s): whoever wants to read a read-shared word made so far comes after this
// epoch of slot s. The counter names states of this clock; it moves only when the clock does.
std::atomic<std::uint64_t> rdsh_clock[kMaxSlots];
std::atomic<std::uint64_t> rdsh_counter{1};
SpinLock rdsh_lock;  // the clock and its counter move together

Word base_word(const Thread& t) { return make_tag(t.slot->index, epoch_of(t)) & ~kMasks; }

Word claimed(const Thread& t, Word mask, Need need) {
  return need == Need::kWrite ? base_word(t) | mask << kWriteMaskShift | mask
                              : (base_word(t) & ~kWriteBit) | mask;
}

// Rule 1: where synchronization is no dependence, the data of an ordered transfer still is one.
void note_incoming_data(Thread& t) {
  if (g_log.sync_edges_off) bump_outside_regions(t);
}

// Somebody is at work on this word. At a safe point meanwhile: it may be waiting for this thread.
void wait_while_held(Thread& t, AtomicWord& word) {
  enter_safe_point(t);
  for (int spins = 0; is_held(word.load(std::memory_order_relaxed)); ++spins) {
    if (spins < 64) {
      cpu_pause();
    } else {
      yield_cpu();
    }
  }
  leave_safe_point(t);
}

bool hold(AtomicWord& word, Word expected) {
  return word.compare_exchange_strong(expected, expected | kHeld, std::memory_order_acq_rel);
}

void count_race() { g_log.header->racy_transfers.fetch_add(1, std::memory_order_relaxed); }

// Nothing of the owner's is outstanding on a word without masks: it was last used by an atomic
// operation (which held it) or handed out by malloc.
bool is_quiet(Word w) { return (w & kMasks) == 0; }

// The word is held and was exclusive to somebody this thread is not ordered after.
void order_after_owner(Thread& t, Word before, bool plain) {
  Slot& owner = slot_at(slot_of(before));
  if (!is_quiet(before)) {
    if (plain) count_race();
    coordinate(t, owner);
  }
  take_order(t, owner, log::Code::kMarker);
}

std::uint64_t last_shared_read(const Slot& slot) {
  for (;;) {
    const std::uint32_t before = slot.incarnation.load(std::memory_order_acquire);
    log::ThreadBlock* block = slot.block.load(std::memory_order_relaxed);
    std::uint64_t epoch = slot.final_rdsh.load(std::memory_order_relaxed);
    if (block != nullptr) {
      const std::uint64_t live =
          std::atomic_ref<std::uint64_t>(block->last_rdsh).load(std::memory_order_relaxed);
      epoch = live > epoch ? live : epoch;
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    if (before % 2 == 0 && slot.incarnation.load(std::memory_order_relaxed) == before) return epoch;
    cpu_pause();
  }
}

bool comes_after_reads_of(const Thread& t, std::uint32_t slot) {
  return covers(t, slot, last_shared_read(slot_at(slot))) &&
         covers(t, slot, rdsh_clock[slot].load(std::memory_order_acquire));
}

// The word is held and was read-shared: a write comes after every reader, and by that after the
// writer. Who read it before it became read-shared is in rdsh_clock.
//
// A reader publishes last_rdsh between its check and its access. In a slow path it then looks at
// the word again behind a fence, so this fence makes last_rdsh reliable. An inline check does not
// look again: if it races with this write, only coordination makes sure (strict mode).
void order_after_readers(Thread& t) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == t.slot->index) continue;
    if (!g_log.strict && comes_after_reads_of(t, i)) continue;
    coordinate(t, slot_at(i));
    if (!comes_after_reads_of(t, i)) take_order(t, slot_at(i), log::Code::kMarker);
  }
}

// A read-shared word newer than this thread's limit: come after the clock of all of them.
void order_after_shared_writers(Thread& t) {
  const std::uint64_t counter = rdsh_counter.load(std::memory_order_acquire);
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == t.slot->index) continue;
    const std::uint64_t needed = rdsh_clock[i].load(std::memory_order_acquire);
    if (covers(t, i, needed) || t.rdsh_seen[i] >= needed) continue;
    take_order(t, slot_at(i), log::Code::kMarker);
    t.rdsh_seen[i] = needed;
  }
  t.rdsh_limit = counter;
  if (shared_reads_inline(t)) t.block->rdsh_limit = counter;
}

// RdEx of `before`'s owner becomes RdSh: the readers need not be ordered, but a later reader must
// come after everything the owner came after.
Word make_read_shared(Thread& t, Word before) {
  const std::uint32_t owner = slot_of(before);
  std::uint64_t counter;
  {
    SpinGuard guard(rdsh_lock);
    counter = rdsh_counter.load(std::memory_order_relaxed);
    if (rdsh_clock[owner].load(std::memory_order_relaxed) < epoch_of(before)) {
      rdsh_clock[owner].store(epoch_of(before), std::memory_order_release);
      rdsh_counter.store(++counter, std::memory_order_release);
    }
  }
  take_order(t, slot_at(owner), log::Code::kMarker);
  if (t.rdsh_seen[owner] < epoch_of(before)) t.rdsh_seen[owner] = epoch_of(before);
  return kReadShared | counter;
}

void log_access(Thread& t, Kind kind, std::uint64_t address, std::uint64_t size,
                std::uint64_t place) {
  if (g_log.logged) append_access(t.block, kind, address, size, place);
}

// True: this read of a read-shared word is not in the log yet. Marks it as being there.
bool is_new_shared_read(Thread& t, std::uint64_t address, Word mask) {
  const std::uint64_t entry = filter_entry(address, mask, t.block->filter_key);
  std::uint64_t& slot = t.filter[filter_index(address)];
  std::atomic_ref<std::uint64_t>(t.block->last_rdsh).store(epoch_of(t), std::memory_order_relaxed);
  if (slot == entry) return false;
  slot = entry;
  return true;
}

// The first at once: a program that is killed has still been seen to be instrumented.
void count_access(Thread& t) {
  if (g_log.full) ++t.block->executed;
  if (t.accesses++ % 4096 == 0) {
    g_log.header->accesses_seen.fetch_add(t.accesses == 1 ? 1 : 4096, std::memory_order_relaxed);
  }
}

struct Outcome {
  bool news;     // not in the log yet
  bool ordered;  // nothing had to be waited for: checks of other granules made before still stand
};

// One granule. On return the thread may access these bytes.
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
    } else if (is_read_shared(w)) {
      if (counter_of(w) > t.rdsh_limit) {
        order_after_shared_writers(t);
        bump_outside_regions(t);
      }
      note_incoming_data(t);
      const bool news = is_new_shared_read(t, address, mask);
      std::atomic_thread_fence(
          std::memory_order_seq_cst);  // published before the word is read again
      if (word.load(std::memory_order_relaxed) == w) return {news, ordered};
    } else if (w == 0 || own(w, make_owner(t.slot->index)) || covers(t, slot_of(w), epoch_of(w))) {
      const bool mine = w != 0 && own(w, make_owner(t.slot->index));
      if (!mine) note_incoming_data(t);
      const Word next = mine ? read_claimed(w, tag, mask) : claimed(t, mask, Need::kRead);
      if (word.compare_exchange_weak(w, next, std::memory_order_acq_rel)) return {true, ordered};
    } else if (hold(word, w)) {
      if (is_written(w)) {
        order_after_owner(t, w, true);
        bump_outside_regions(t);
        word.store(claimed(t, mask, Need::kRead), std::memory_order_release);
        return {true, false};
      }
      const Word shared = make_read_shared(t, w);
      bump_outside_regions(t);
      is_new_shared_read(t, address, mask);
      word.store(shared, std::memory_order_release);
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
    } else if (is_read_shared(w)) {
      if (!hold(word, w)) continue;
      order_after_readers(t);
      bump_outside_regions(t);
      word.store(claimed(t, mask, Need::kWrite), std::memory_order_release);
      return {true, false};
    } else if (w == 0 || own(w, make_owner(t.slot->index)) || covers(t, slot_of(w), epoch_of(w))) {
      const bool mine = w != 0 && own(w, make_owner(t.slot->index));
      if (!mine) note_incoming_data(t);
      const Word next = mine ? write_claimed(w, tag, mask) : claimed(t, mask, Need::kWrite);
      if (word.compare_exchange_weak(w, next, std::memory_order_acq_rel)) return {true, ordered};
    } else if (hold(word, w)) {
      order_after_owner(t, w, true);
      bump_outside_regions(t);
      word.store(claimed(t, mask, Need::kWrite), std::memory_order_release);
      return {true, false};
    }
  }
}

Outcome claim(Thread& t, std::uint64_t address, Word mask, Need need) {
  return need == Need::kWrite ? claim_write(t, address, mask) : claim_read(t, address, mask);
}

constexpr Kind kind_of(Need need) { return need == Need::kWrite ? Kind::kWrite : Kind::kRead; }

// An access over a granule's edge: if one granule had to be waited for, those before may have been
// taken away meanwhile; claim again until nothing had to be waited for.
Outcome claim_all(Thread& t, std::uint64_t address, std::uint64_t size, Need need) {
  Outcome all{false, false};
  for (int attempt = 0; !all.ordered && attempt < 100; ++attempt) {
    all.ordered = true;
    for (std::uint64_t at = address, end = address + size; at < end;) {
      const std::uint64_t step = end - at < 8 - (at & 7) ? end - at : 8 - (at & 7);
      const Outcome one = claim(t, at, byte_mask(at, step), need);
      all.news |= one.news;
      if (at != address) all.ordered &= one.ordered;
      at += step;
    }
  }
  return all;
}

void access(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place, Need need) {
  poll(t);
  if (t.ignore > 0) return;
  count_access(t);
  const bool single = (address & 7) + size <= 8;
  const Outcome outcome = single ? claim(t, address, byte_mask(address, size), need)
                                 : claim_all(t, address, size, need);
  if (outcome.news || g_log.full) log_access(t, kind_of(need), address, size, place);
}

// A block: claimed granule by granule, logged in runs of neighbours that are news.
void range(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place, Need need) {
  if (size == 0) return;
  if (size <= 16) {
    access(t, address, size, place, need);
    return;
  }
  poll(t);
  if (t.ignore > 0) return;
  count_access(t);
  const std::uint64_t end = address + size;
  std::uint64_t run = address;
  bool in_run = false;
  for (std::uint64_t at = address; at < end;) {
    const std::uint64_t step = end - at < 8 - (at & 7) ? end - at : 8 - (at & 7);
    const std::uint64_t before = t.block->position;
    const Outcome one = claim(t, at, byte_mask(at, step), need);
    const bool news = one.news || g_log.full;
    if (in_run && (!news || t.block->position != before)) {
      // Ended, or a marker came in between: what was claimed before it is logged behind it, which
      // is where its access will run.
      log_access(t, kind_of(need), run, at - run, place);
      in_run = false;
    }
    if (news && !in_run) {
      run = at;
      in_run = true;
    }
    at += step;
  }
  if (in_run) log_access(t, kind_of(need), run, end - run, place);
}

}  // namespace

void slow_read(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place) {
  access(t, address, size, place, Need::kRead);
}
void slow_write(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place) {
  access(t, address, size, place, Need::kWrite);
}
void read_range(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place) {
  range(t, address, size, place, Need::kRead);
}
void write_range(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place) {
  range(t, address, size, place, Need::kWrite);
}

// Atomic operations.

namespace {

bool same_epoch_own(const Thread& t, Word w) {
  return own(w, make_owner(t.slot->index)) && rt::epoch_of(w) == rt::epoch_of(t);
}

// Takes one word for an atomic operation: held, and this thread ordered after its last accesses.
// Returns what it was; kNotHeld: read-shared, and may be read so.
Word hold_one(Thread& t, std::uint64_t address, Word mask, bool writes) {
  AtomicWord& word = shadow_word(address);
  for (;;) {
    const Word w = word.load(std::memory_order_acquire);
    if (is_held(w)) {
      wait_while_held(t, word);
    } else if (is_read_shared(w) && !writes) {
      if (counter_of(w) > t.rdsh_limit) {
        order_after_shared_writers(t);
        bump_outside_regions(t);
      }
      is_new_shared_read(t, address, mask);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      if (word.load(std::memory_order_relaxed) == w) return kNotHeld;
    } else if (hold(word, w)) {
      if (is_read_shared(w)) {
        order_after_readers(t);
        bump_outside_regions(t);
        return w;
      }
      if (own(w, make_owner(t.slot->index))) return w;
      if (w == 0 || covers(t, slot_of(w), rt::epoch_of(w))) {
        note_incoming_data(t);
        return w;
      }
      if (!writes && !is_written(w)) {
        const Word shared = make_read_shared(t, w);
        bump_outside_regions(t);
        is_new_shared_read(t, address, mask);
        word.store(shared, std::memory_order_seq_cst);
        return kNotHeld;
      }
      order_after_owner(t, w, false);
      bump_outside_regions(t);
      return w;
    }
  }
}

bool seen_load(Thread& t, std::uint64_t address, std::uint64_t size, std::uint8_t order) {
  AtomicLoadSeen& seen = t.seen_loads[(address >> 3) % kSeenLoads];
  if (seen.address == address && seen.epoch == rt::epoch_of(t) && seen.size == size &&
      seen.order == order) {
    return true;
  }
  seen = {address, rt::epoch_of(t), static_cast<std::uint32_t>(size), order};
  return false;
}

bool publishes(std::uint8_t order) {
  return order >= static_cast<std::uint8_t>(MemoryOrder::kRelease);
}

}  // namespace

void hold_words(Thread& t, HeldWords& held, std::uint64_t address, std::uint64_t size,
                bool writes) {
  poll(t);
  held.address = address;
  held.size = size;
  held.count = 0;
  if (t.ignore > 0) return;
  for (std::uint64_t at = address, end = address + size; at < end;) {
    const std::uint64_t step = end - at < 8 - (at & 7) ? end - at : 8 - (at & 7);
    // Over an edge every word is held: waiting for the second would void a check of the first.
    held.before[held.count++] = hold_one(t, at, byte_mask(at, step), writes || step < size);
    at += step;
  }
}

void finish_atomic(Thread& t, const HeldWords& held, Kind kind, std::uint8_t order,
                   std::uint64_t place) {
  if (held.count == 0) return;
  count_access(t);
  const bool load = kind == Kind::kAtomicLoad;
  bool undisturbed = true;  // since this thread's last operation on it
  for (int i = 0; i < held.count; ++i) {
    undisturbed &= held.before[i] == kNotHeld || same_epoch_own(t, held.before[i]);
  }
  const bool repeat = load && seen_load(t, held.address, held.size, order) && undisturbed;
  if (g_log.logged && (!repeat || g_log.full)) {
    append_access(t.block, kind, held.address, held.size, place, order);
  }
  for (int i = 0; i < held.count; ++i) {
    const Word before = held.before[i];
    if (before == kNotHeld) continue;
    Word after = same_epoch_own(t, before) ? before : base_word(t) & ~(load ? kWriteBit : 0);
    if (!load) after |= kWriteBit;
    shadow_word(held.address + 8 * static_cast<std::uint64_t>(i))
        .store(after, std::memory_order_release);
  }
  if (!load && publishes(order)) bump_epoch(t);
}

void log_fence(Thread& t, std::uint8_t order, std::uint64_t place) {
  poll(t);
  append_event(t.block, Kind::kFence, 0, place, 0, order);
  if (publishes(order)) bump_epoch(t);
}

void take_block(Thread& t, std::uint64_t address, std::uint64_t size) {
  bool readers_done = false;
  for (std::uint64_t at = address, end = address + size; at < end;) {
    AtomicWord& word = shadow_word(at);
    const Word w = word.load(std::memory_order_acquire);
    if (is_held(w)) {
      wait_while_held(t, word);
      continue;
    }
    if (is_read_shared(w)) {
      if (!readers_done) order_after_readers(t);
      readers_done = true;
    } else if (w != 0 && !own(w, make_owner(t.slot->index)) &&
               !covers(t, slot_of(w), rt::epoch_of(w))) {
      if (!hold(word, w)) continue;
      order_after_owner(t, w, true);
      word.store(base_word(t), std::memory_order_release);
    }
    at += kGranule;
  }
}

}  // namespace isosan::rt
