#include "runtime/ownership/words.h"

#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/read_shared.h"
#include "runtime/platform/patience.h"
#include "runtime/shadow/granule_tags.h"

namespace isosan::rt {
namespace {

std::atomic<bool> data_markers{false};  // some were written

void count_race() { g_log.header->racy_transfers.fetch_add(1, std::memory_order_relaxed); }

// Nothing of the owner's is outstanding on a word without masks: it was last used by an atomic
// operation (which held it) or handed out by malloc.
bool is_quiet(Word w) { return (without_read_flags(w) & kMasks) == 0; }

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

// The same of these granules alone. An entry of the filter is at least as young as what it took the
// place of; entries go all together when the epochs in them come round.
std::uint64_t last_shared_read(const Slot& slot, const Granules& granules) {
  constexpr std::uint64_t kKept = ~std::uint64_t{0} >> kFilterEpochShift;
  std::uint64_t youngest = 0;
  for (std::uint64_t i = 0; i < granules.count; ++i) {
    const std::uint64_t entry =
        std::atomic_ref<std::uint64_t>(slot.filter[filter_index(granules.address + i * kGranule)])
            .load(std::memory_order_relaxed);
    youngest = entry > youngest ? entry : youngest;
  }
  youngest >>= kFilterEpochShift;
  std::atomic_thread_fence(std::memory_order_acquire);
  const std::uint64_t now = slot.epoch.load(std::memory_order_acquire);
  const std::uint64_t strode = slot.strode_rdsh.load(std::memory_order_relaxed);
  std::uint64_t last = (now & ~kKept) | youngest;
  last = strode > last ? strode : last;
  const std::uint64_t end = granules.address + granules.count * kGranule;
  for (std::uint64_t at = granules.address & ~(kWalkedPageBytes - 1); at < end;
       at += kWalkedPageBytes) {
    const std::uint64_t walked = walked_page(slot, at).load(std::memory_order_relaxed);
    last = walked > last ? walked : last;
  }
  return last;
}

// The last epoch, at the latest, in which the slot's thread read one of these granules, which are
// read-shared. The cheaper answer is enough if this thread comes after it.
std::uint64_t last_read_by(const Thread& t, const Slot& slot, const Granules& granules) {
  const std::uint64_t alone = last_read_alone(slot, granules.address);
  std::uint64_t shared = last_shared_read(slot);
  constexpr std::uint64_t kMost = 512;  // granules that are worth to be looked up
  const bool known = covers(t, slot.index, shared);
  if (!known && granules.count <= kMost) {
    const std::uint64_t of_these = last_shared_read(slot, granules);
    shared = of_these < shared ? of_these : shared;
  }
  return alone > shared ? alone : shared;
}

bool comes_after_shared_reads(const Thread& t) {  // all that there were
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t last = i == t.slot->index ? 0 : last_shared_read(slot_at(i));
    if (!covers(t, i, last)) return false;
  }
  return true;
}

bool comes_after_reads_of(const Thread& t, std::uint32_t i, const Granules& granules) {
  return covers(t, i, last_read_by(t, slot_at(i), granules));
}

// By markers for data, where those do not move the clock.
bool has_seen_reads_of(const Thread& t, std::uint32_t slot, const Granules& granules) {
  return t.data_seen[slot] >= last_read_by(t, slot_at(slot), granules);
}

}  // namespace

// Where unordered granules are asked for, the clock stays that of synchronization.
void take_order_of_data(Thread& t, Slot& other) {
  if (g_log.unordered != nullptr) {
    const std::uint64_t closed = take_order(t, other, log::Code::kOrderMarker);
    if (t.data_seen[other.index] < closed) t.data_seen[other.index] = closed;
    return;
  }
  data_markers.store(true, std::memory_order_relaxed);
  take_order(t, other, log::Code::kMarker);
}

void note_unordered(std::uint64_t address) {
  if (g_log.unordered != nullptr && !g_log.locksets) g_log.unordered->add(address);
}

// The tag of whoever wrote last, at the latest, what is exclusive to somebody; 0: nobody did. (A
// word that came to a reader by a marker alone says that the reader wrote: it is in the table.)
Word writer_before(std::uint64_t address, Word w) {
  if (is_clean(w)) return last_writers.get(address);
  return make_tag(slot_of(w), is_written(w) ? epoch_of(w) : epoch_of(w) - 1);
}

bool comes_after_tag(const Thread& t, Word tag) {
  if (tag == 0 || tag == kUnknownTag) return tag == 0;
  return slot_of(tag) == t.slot->index || covers(t, slot_of(tag), epoch_of(tag));
}

bool comes_after_readers(const Thread& t, std::uint64_t address) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i != t.slot->index && !comes_after_reads_of(t, i, {address, 1})) return false;
  }
  return true;
}

bool comes_after_writer(const Thread& t, std::uint64_t address, Word before) {
  return comes_after_tag(
      t, is_read_shared(before) ? last_writers.get(address) : writer_before(address, before));
}

// Rule 1: where synchronization is no dependence, the data of an ordered transfer still is one. The
// same where the order may come from a marker that was written for other data: it told of
// everything that the other thread had done by then, but only of one dependence.
void note_incoming_data(Thread& t) {
  if (g_log.sync_edges_off || orders_exceed_dependences()) bump_outside_regions(t);
}

bool orders_exceed_dependences() { return data_markers.load(std::memory_order_relaxed); }

// Somebody is at work on this word. After a moment at a safe point: it may be waiting for this
// thread.
void wait_while_held(Thread& t, AtomicWord& word) {
  constexpr int kMoment = 32;
  for (int i = 0; i < kMoment; ++i) {
    if (!is_held(word.load(std::memory_order_relaxed))) return;
    cpu_pause();
  }
  enter_safe_point(t);
  for (Patience patience; is_held(word.load(std::memory_order_relaxed));) patience.wait();
  leave_safe_point(t);
}

// The word is held and was exclusive to somebody this thread is not ordered after.
void order_after_owner(Thread& t, std::uint64_t address, Word before, bool plain) {
  Slot& owner = slot_at(slot_of(before));
  note_unordered(address);
  if (g_log.unordered != nullptr && t.data_seen[owner.index] >= epoch_of(before)) return;
  if (g_log.locksets) {
    forget_ranges(owner);
  } else if (!is_quiet(before)) {
    if (plain) count_race();
    coordinate(t, owner);
  }
  take_order_of_data(t, owner);
}

// The words are held and were read-shared: a write comes after every reader. Who comes after all
// reads of such words comes by that after the writers, too; else it asks for those. Who read a word
// before it became read-shared is in coarse_former_readers.
//
// A reader publishes last_rdsh and its entry in the filter between its check and its access. In a
// slow path it then looks at the word again behind a fence, so this fence makes both reliable. An
// inline check does not look again: if it races with this write, only coordination makes sure
// (strict mode).
void order_after_readers(Thread& t, const Granules& granules, std::uint64_t counter) {
  if (g_log.locksets) return;  // contend() has asked
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const std::uint32_t count = slots_in_use();
  if (g_log.unordered == nullptr && counter > t.rdsh_limit && !comes_after_shared_reads(t))
    order_after_shared_writers(t, granules.address);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == t.slot->index) continue;
    const std::uint64_t last = last_read_by(t, slot_at(i), granules);
    if (!g_log.strict && covers(t, i, last)) continue;
    if (g_log.unordered != nullptr && has_seen_reads_of(t, i, granules)) {
      note_unordered(granules.address);
      continue;
    }
    if (g_log.unordered == nullptr) coordinate(t, slot_at(i));  // would begin an epoch of its own
    if (comes_after_reads_of(t, i, granules)) continue;
    note_unordered(granules.address);
    take_order_of_data(t, slot_at(i));
  }
}

void keep_last_writer(std::uint64_t address, Word before) {
  if (g_log.unordered == nullptr || is_clean(before)) return;
  last_writers.set(address, before == 0 ? 0 : writer_before(address, before));
}

// The first at once: a program that is killed has still been seen to be instrumented.
void count_access(Thread& t) {
  count_operation(t);
  if (t.accesses++ % 4096 == 0) {
    g_log.header->accesses_seen.fetch_add(t.accesses == 1 ? 1 : 4096, std::memory_order_relaxed);
  }
}

}  // namespace isosan::rt
