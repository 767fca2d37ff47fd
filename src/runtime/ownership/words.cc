#include "runtime/ownership/words.h"

#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/lone_units.h"
#include "runtime/platform/patience.h"
#include "runtime/platform/spin_lock.h"
#include "runtime/shadow/granule_tags.h"

namespace isosan::rt {
namespace {

// Rule 6. rdsh_clock(s): whoever wants to read a read-shared word made so far comes after this
// epoch of slot s. The counter names states of this clock; it moves only when the clock does.
// coarse_former_readers(s): the last epoch in which slot s read a word that was its own then, and
// is read-shared now. Whoever writes comes after it. Where unordered granules are asked for, the
// former reader is kept of each word, if there is room, and last writers take the place of
// rdsh_clock: rdsh_writers has the writer (a tag) for which the counter moved, of the latest
// kKeptWriters of its values.
constexpr std::uint64_t kKeptWriters = 1024;
std::atomic<std::uint64_t> rdsh_clock[kMaxSlots];
std::atomic<Word> rdsh_writers[kKeptWriters];
std::atomic<std::uint64_t> coarse_former_readers[kMaxSlots];
std::atomic<std::uint64_t> rdsh_counter{1};
SpinLock rdsh_lock;  // the clock and its counter move together

std::atomic<bool> data_markers{false};  // some were written

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

void count_race() { g_log.header->racy_transfers.fetch_add(1, std::memory_order_relaxed); }

// Nothing of the owner's is outstanding on a word without masks: it was last used by an atomic
// operation (which held it) or handed out by malloc.
bool is_quiet(Word w) { return (without_clean_bit(w) & kMasks) == 0; }

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

// The last epoch, at the latest, in which the slot's thread read this granule while it was
// read-shared. An entry of the filter is at least as young as what it took the place of; entries
// go all together when the epochs in them come round.
std::uint64_t last_shared_read(const Slot& slot, std::uint64_t address) {
  const std::uint64_t entry = std::atomic_ref<std::uint64_t>(slot.filter[filter_index(address)])
                                  .load(std::memory_order_acquire);
  const std::uint64_t now = slot.epoch.load(std::memory_order_acquire);
  constexpr std::uint64_t kKept = ~std::uint64_t{0} >> kFilterEpochShift;
  const std::uint64_t filtered = (now & ~kKept) | entry >> kFilterEpochShift;
  const std::uint64_t walked = walked_page(slot, address).load(std::memory_order_relaxed);
  return filtered > walked ? filtered : walked;
}

// The last epoch, at the latest, in which the slot's thread read this granule while it was its own.
std::uint64_t last_read_alone(const Slot& slot, std::uint64_t address) {
  const std::uint64_t coarse = coarse_former_readers[slot.index].load(std::memory_order_acquire);
  if (g_log.unordered == nullptr) return coarse;
  const Word former = former_readers.get(address);
  if (former == kUnknownTag || slot_of(former) != slot.index) return coarse;
  return epoch_of(former) > coarse ? epoch_of(former) : coarse;
}

// The last epoch, at the latest, in which the slot's thread read a word that is read-shared.
std::uint64_t last_read_by(const Slot& slot, std::uint64_t address) {
  const std::uint64_t alone = last_read_alone(slot, address), shared = last_shared_read(slot);
  return alone > shared ? alone : shared;
}

bool comes_after_reads_of(const Thread& t, std::uint32_t i, std::uint64_t address) {
  const Slot& slot = slot_at(i);
  if (!covers(t, i, last_read_alone(slot, address))) return false;
  if (covers(t, i, last_shared_read(slot))) return true;
  return g_log.unordered != nullptr && covers(t, i, last_shared_read(slot, address));
}

// By markers for data, where those do not move the clock.
bool has_seen_reads_of(const Thread& t, std::uint32_t slot, std::uint64_t address) {
  const std::uint64_t seen = t.data_seen[slot];
  return seen >= last_shared_read(slot_at(slot), address) &&
         seen >= last_read_alone(slot_at(slot), address);
}

bool raise(std::atomic<std::uint64_t>& entry, std::uint64_t epoch) {  // with rdsh_lock
  if (entry.load(std::memory_order_relaxed) >= epoch) return false;
  entry.store(epoch, std::memory_order_release);
  return true;
}

// Does this thread come after all that another one (the slot) came after?
bool knows_as_much_as(const Thread& t, const Slot& other) {
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == other.index || i == t.slot->index) continue;
    if (!covers(t, i, other.clock[i].load(std::memory_order_acquire))) return false;
  }
  return true;
}

// Readers come after all that `other` came after, and after its own epochs up to `own`.
bool raise_to_knowledge_of(const Slot& other, std::uint64_t own) {  // with rdsh_lock
  bool moved = raise(rdsh_clock[other.index], own);
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i != other.index)
      moved |= raise(rdsh_clock[i], other.clock[i].load(std::memory_order_acquire));
  }
  return moved;
}

// The tag of whoever wrote last, at the latest, what is exclusive to somebody; 0: nobody did. (A
// word that came to a reader by a marker alone says that the reader wrote: it is in the table.)
Word writer_before(std::uint64_t address, Word w) {
  if (clean_bit(w) != 0) return last_writers.get(address);
  return make_tag(slot_of(w), is_written(w) ? epoch_of(w) : epoch_of(w) - 1);
}

}  // namespace

bool comes_after_tag(const Thread& t, Word tag) {
  if (tag == 0 || tag == kUnknownTag) return tag == 0;
  return slot_of(tag) == t.slot->index || covers(t, slot_of(tag), epoch_of(tag));
}

bool comes_after_readers(const Thread& t, std::uint64_t address) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i != t.slot->index && !comes_after_reads_of(t, i, address)) return false;
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
void note_incoming_data(Thread& t, Word before) {
  if (before != 0) note_met(t, slot_of(before), epoch_of(before));
  if (g_log.sync_edges_off || orders_exceed_dependences()) bump_outside_regions(t);
}

bool orders_exceed_dependences() { return data_markers.load(std::memory_order_relaxed); }

// Somebody is at work on this word. At a safe point meanwhile: it may be waiting for this thread.
void wait_while_held(Thread& t, AtomicWord& word) {
  enter_safe_point(t);
  for (Patience patience; is_held(word.load(std::memory_order_relaxed));) patience.wait();
  leave_safe_point(t);
}

// The word is held and was exclusive to somebody this thread is not ordered after.
void order_after_owner(Thread& t, std::uint64_t address, Word before, bool plain) {
  Slot& owner = slot_at(slot_of(before));
  note_met(t, owner.index, epoch_of(before));
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

// The word is held and was read-shared: a write comes after every reader, and by that after the
// writer. Who read it before it became read-shared is in rdsh_clock.
//
// A reader publishes last_rdsh between its check and its access. In a slow path it then looks at
// the word again behind a fence, so this fence makes last_rdsh reliable. An inline check does not
// look again: if it races with this write, only coordination makes sure (strict mode).
void order_after_readers(Thread& t, std::uint64_t address) {
  if (g_log.locksets) return;  // contend() has asked
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == t.slot->index) continue;
    note_met(t, i, last_read_by(slot_at(i), address));
    if (!g_log.strict && comes_after_reads_of(t, i, address)) continue;
    if (g_log.unordered != nullptr && has_seen_reads_of(t, i, address)) {
      note_unordered(address);
      continue;
    }
    if (g_log.unordered == nullptr) coordinate(t, slot_at(i));  // would begin an epoch of its own
    if (comes_after_reads_of(t, i, address)) continue;
    note_unordered(address);
    take_order_of_data(t, slot_at(i));
  }
}

namespace {

void set_rdsh_limit(Thread& t, std::uint64_t counter) {
  t.rdsh_limit = counter;
  if (shared_reads_inline(t)) t.block->rdsh_limit = counter;
}

bool comes_after_rdsh_clock(const Thread& t) {
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool own = i == t.slot->index;
    if (!own && !covers(t, i, rdsh_clock[i].load(std::memory_order_acquire))) return false;
  }
  return true;
}

// The limit goes up to the first writer that this thread does not come after.
void raise_rdsh_limit(Thread& t) {
  const std::uint64_t counter = rdsh_counter.load(std::memory_order_acquire);
  if (counter - t.rdsh_limit >= kKeptWriters) {
    if (comes_after_rdsh_clock(t)) set_rdsh_limit(t, counter);
    return;
  }
  std::uint64_t limit = t.rdsh_limit;
  while (limit < counter) {
    const Word writer = rdsh_writers[(limit + 1) % kKeptWriters].load(std::memory_order_relaxed);
    if (!comes_after_tag(t, writer)) break;
    ++limit;
  }
  std::atomic_thread_fence(std::memory_order_acquire);
  const std::uint64_t now = rdsh_counter.load(std::memory_order_relaxed);
  if (now - t.rdsh_limit < kKeptWriters) set_rdsh_limit(t, limit);
}

// One word, by its writer.
void order_after_writer(Thread& t, std::uint64_t address) {
  const Word writer = last_writers.get(address);
  if (!comes_after_tag(t, writer)) {
    note_unordered(address);
    const bool somebody = writer != kUnknownTag;
    if (somebody && t.data_seen[slot_of(writer)] < epoch_of(writer))
      take_order_of_data(t, slot_at(slot_of(writer)));
  }
  raise_rdsh_limit(t);
}

}  // namespace

// A read-shared word newer than this thread's limit: come after the clock of all of them.
void order_after_shared_writers(Thread& t, std::uint64_t address) {
  if (g_log.unordered != nullptr) return order_after_writer(t, address);
  const std::uint64_t counter = rdsh_counter.load(std::memory_order_acquire);
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == t.slot->index) continue;
    const std::uint64_t needed = rdsh_clock[i].load(std::memory_order_acquire);
    note_met(t, i, needed);
    if (covers(t, i, needed) || t.rdsh_seen[i] >= needed) continue;
    take_order_of_data(t, slot_at(i));
    t.rdsh_seen[i] = needed;
  }
  set_rdsh_limit(t, counter);
}

std::uint64_t read_shared_granules(Thread& t, std::uint64_t address, std::uint64_t count) {
  if (g_log.unordered == nullptr) return 0;
  const AtomicWord* const words = &shadow_word(address);
  const Word first = words[0].load(std::memory_order_acquire);
  const Word writer = last_writers.get(address);
  const bool shared = is_read_shared(first) && !is_contended(first) && !is_held(first);
  if (!shared || !comes_after_tag(t, writer)) return 0;
  std::uint64_t n = 1;
  while (n < count && words[n].load(std::memory_order_acquire) == first &&
         last_writers.get(address + n * kGranule) == writer) {
    ++n;
  }
  note_shared_walk(t, address, n * kGranule);
  return n;
}

void keep_last_writer(std::uint64_t address, Word before) {
  if (g_log.unordered == nullptr || clean_bit(before) != 0) return;
  last_writers.set(address, before == 0 ? 0 : writer_before(address, before));
}

namespace {

// The counter, after which whoever has the limit comes after this writer. The clock moves behind
// the counter: who finds the writer in it needs no lock.
std::uint64_t counter_with(Word writer) {
  std::atomic<std::uint64_t>& entry = rdsh_clock[slot_of(writer)];
  if (writer == 0 || entry.load(std::memory_order_acquire) >= epoch_of(writer))
    return rdsh_counter.load(std::memory_order_acquire);
  SpinGuard guard(rdsh_lock);
  std::uint64_t counter = rdsh_counter.load(std::memory_order_relaxed);
  if (entry.load(std::memory_order_relaxed) >= epoch_of(writer)) return counter;
  rdsh_writers[++counter % kKeptWriters].store(writer, std::memory_order_release);
  rdsh_counter.store(counter, std::memory_order_release);
  entry.store(epoch_of(writer), std::memory_order_release);
  return counter;
}

Word share_after_writer(Thread& t, std::uint64_t address, Word before) {
  const Word writer = writer_before(address, before);
  keep_last_writer(address, before);
  const bool known = comes_after_tag(t, writer);
  if (!known) {
    note_unordered(address);
    take_order_of_data(t, slot_at(slot_of(before)));
  }
  if (!former_readers.set(address, before)) {
    SpinGuard guard(rdsh_lock);
    raise(coarse_former_readers[slot_of(before)], epoch_of(before));
  }
  return kReadShared | counter_with(known ? writer : 0);
}

}  // namespace

// RdEx of `before`'s owner becomes RdSh: the readers need not be ordered, but a later reader must
// come after everything the owner came after; and after the owner, if that may have written.
Word make_read_shared(Thread& t, std::uint64_t address, Word before) {
  if (g_log.unordered != nullptr) return share_after_writer(t, address, before);
  const Slot& owner = slot_at(slot_of(before));
  const std::uint64_t epoch = epoch_of(before);
  const std::uint64_t needed = clean_bit(before) != 0 ? 0 : epoch - 1;  // of the owner's epochs
  const bool unordered = covers(t, owner.index, needed) && knows_as_much_as(t, owner);
  note_met_all_known_to(t, owner, needed);
  std::uint64_t counter;
  {
    SpinGuard guard(rdsh_lock);
    raise(coarse_former_readers[owner.index], epoch);
    const bool moved =
        unordered ? raise_to_knowledge_of(owner, needed) : raise(rdsh_clock[owner.index], epoch);
    counter = rdsh_counter.load(std::memory_order_relaxed);
    if (moved) rdsh_counter.store(++counter, std::memory_order_release);
  }
  if (unordered) return kReadShared | counter;
  take_order_of_data(t, slot_at(owner.index));
  if (t.rdsh_seen[owner.index] < epoch) t.rdsh_seen[owner.index] = epoch;
  return kReadShared | counter;
}

// The first at once: a program that is killed has still been seen to be instrumented.
void count_access(Thread& t) {
  count_operation(t);
  if (t.accesses++ % 4096 == 0) {
    g_log.header->accesses_seen.fetch_add(t.accesses == 1 ? 1 : 4096, std::memory_order_relaxed);
  }
}

}  // namespace isosan::rt
