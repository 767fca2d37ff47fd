#include "runtime/sync/atomic.h"

#include <iterator>

#include "runtime/ownership/claim.h"
#include "runtime/ownership/coordinate.h"

namespace isosan::rt {
namespace {

bool same_epoch_own(const Thread& t, Word w) {
  return is_own(t, w) && rt::epoch_of(w) == rt::epoch_of(t);
}

// Atomic stores that found their word read-shared. A reader that finds it read-shared again cannot
// tell by the word that there was one. Relaxed: the word itself orders the store and the reader.
std::atomic<std::uint64_t> shared_stores{0};

// For a load. The mode looks twice: before, because it may make the word contended, which it cannot
// while the word is held; and after, because another thread may have stored in between.
bool hold_shared(Thread& t, std::uint64_t address, Word w) {
  AtomicWord& word = shadow_word(address);
  if (!g_mode.order_after_writers(t, address, w) || !hold(word, w)) return false;
  if (g_mode.order_after_writers(t, address, w)) return true;
  give_up(word, w);
  return false;
}

// Takes one word for an atomic operation: held, and this thread ordered after its last accesses.
// Returns what it was; kNotHeld: read-shared, and may be read so.
Word hold_one(Thread& t, std::uint64_t address, Word mask, bool writes, HeldWords& held) {
  AtomicWord& word = shadow_word(address);
  const Need need = writes ? Need::kWrite : Need::kRead;
  const auto holds = [&](Word w) {
    return hold(word, w) && !call_or(false, g_mode.keeps, t, address, w, need);
  };
  for (;;) {
    const Word w = word.load(std::memory_order_acquire);  // order: word
    switch (transition(w, actor_of(t), mask, need, covers_of(t))) {
      case Action::kNothing:
      case Action::kMark:
        if (hold(word, w)) return w;
        break;
      case Action::kTake:
        if (w != 0 ? !holds(w) : !hold(word, w)) break;
        note_incoming_data(t);
        return w;
      case Action::kOrderShared:
        if (!g_mode.order_after_writers(t, address, w)) break;
        held.written_anew = true;
        bump_outside_regions(t);
        [[fallthrough]];
      case Action::kLogShared:
        if (g_mode.holds_shared_loads) {
          if (!hold_shared(t, address, w)) break;
          held.written_anew = held.stays_shared = true;
          is_new_shared_read(t, address, mask);
          return w;
        }
        is_new_shared_read(t, address, mask);
        if (still_shared(t, address, word, w)) return kNotHeld;
        break;
      case Action::kShare: {
        if (!holds(w)) break;
        const Word shared = g_mode.share(t, address, w);
        held.written_anew = true;
        bump_outside_regions(t);
        is_new_shared_read(t, address, mask);
        if (g_mode.holds_shared_loads) {
          held.stays_shared = true;
          word.store(shared | kHeld, std::memory_order_seq_cst);  // order: readers
          return shared;
        }
        word.store(shared, std::memory_order_seq_cst);  // order: readers
        return kNotHeld;
      }
      case Action::kAskOwner:
        if (!holds(w)) break;
        g_mode.order_after_owner(t, address, w, false);
        bump_outside_regions(t);
        return w;
      case Action::kAskReaders:
        if (!holds(w)) break;
        shared_stores.fetch_add(1, std::memory_order_relaxed);
        g_mode.order_after_readers(t, {address, 1}, counter_of(w));
        bump_outside_regions(t);
        return w;
      case Action::kUseContended:
        if (!hold(word, w)) break;
        ++t.contended_uses;
        held.contended |= g_mode.use_contended(t, address, mask, need, true);
        return word.load(std::memory_order_relaxed) & ~kHeld;
      case Action::kWait:
        wait_while_held(t, word);
        break;
    }
  }
}

// Is the load in the log already? It is from now on. Undisturbed: by nobody since the last one.
bool seen_load(Thread& t, const HeldWords& held, std::uint8_t order, std::uint64_t place,
               bool undisturbed) {
  const std::uint64_t granule = held.address / kGranule;
  AtomicLoadsSeen& seen = t.seen.loads[granule % kSeenLoads];
  const std::uint64_t stores = shared_stores.load(std::memory_order_relaxed);
  if (held.before[0] == kNotHeld) undisturbed &= seen.shared_stores == stores;
  if (!undisturbed || seen.granule != granule || seen.epoch != rt::epoch_of(t)) {
    seen = {.granule = granule, .epoch = rt::epoch_of(t)};
  }
  seen.shared_stores = stores;
  const AtomicLoadsSeen::Load load{held.address, place, static_cast<std::uint32_t>(held.size),
                                   order};
  for (const AtomicLoadsSeen::Load& other : seen.loads) {
    if (other == load) return true;
  }
  seen.loads[seen.next++ % std::size(seen.loads)] = load;
  return false;
}

// Of a word that was held.
Word word_after(Thread& t, std::uint64_t address, Word before, bool load) {
  if (is_contended(before)) return before;
  if (same_epoch_own(t, before)) return load ? before : without_read_flags(before) | kWriteBit;
  if (load && is_own(t, before)) return (base_word(t) & ~kWriteBit) | read_flags(before);
  const bool covered = is_exclusive(before) && covers(t, slot_of(before), rt::epoch_of(before));
  if (load && (before == 0 || covered)) {
    call(g_mode.keep_writer, address, before);
    return (base_word(t) & ~kWriteBit) | kClean;
  }
  return base_word(t);
}

bool publishes(std::uint8_t order) { return order_in(order) >= MemoryOrder::kRelease; }

}  // namespace

void hold_words(Thread& t, HeldWords& held, std::uint64_t address, std::uint64_t size,
                bool writes) {
  poll(t);
  held.address = address;
  held.size = size;
  held.count = 0;
  held.contended = held.written_anew = held.stays_shared = false;
  if (g_atomic_point != nullptr) g_atomic_point(t, address);
  if (t.ignore > 0) return;
  point(t, {address, size, writes});
  for (std::uint64_t at = address, end = address + size; at < end;) {
    const std::uint64_t step = granule_part(at, end);
    // Over an edge every word is held: waiting for the second would void a check of the first.
    ISOSAN_CHECK(held.count < 3);
    held.before[held.count++] = hold_one(t, at, byte_mask(at, step), writes || step < size, held);
    at += step;
  }
}

void finish_atomic(Thread& t, const HeldWords& held, Kind kind, std::uint8_t order,
                   std::uint64_t place) {
  if (held.count == 0) return;
  count_access(t);
  const bool load = kind == Kind::kAtomicLoad;
  bool undisturbed = !held.written_anew;  // since this thread's last operation on it
  for (int i = 0; i < held.count; ++i) {
    const Word before = held.before[i];
    undisturbed &= before == kNotHeld || is_contended(before) || same_epoch_own(t, before);
  }
  const bool repeat = load && seen_load(t, held, order, place, undisturbed && !held.contended);
  if (logs_accesses(t) && (!repeat || g_options.every_operation)) {
    call(g_mode.before_event, t);
    append_access(t.block, kind, held.address, held.size, place, order);
  }
  for (int i = 0; i < held.count; ++i) {
    const Word before = held.before[i];
    if (before == kNotHeld) continue;
    const std::uint64_t address = held.address + 8 * static_cast<std::uint64_t>(i);
    give_up(shadow_word(address),
            held.stays_shared ? before : word_after(t, address, before, load));
  }
  if (!load && publishes(order) && has(g_mode.ends_epoch, kind)) bump_epoch(t);
}

void log_fence(Thread& t, std::uint8_t order, std::uint64_t place) {
  poll(t);
  point(t);
  count_operation(t);
  call(g_mode.before_event, t);
  append_event(t.block, Kind::kFence, 0, place, 0, order);
  if (publishes(order) && has(g_mode.ends_epoch, Kind::kFence)) bump_epoch(t);
}

}  // namespace isosan::rt
