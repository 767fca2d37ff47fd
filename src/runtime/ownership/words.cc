#include "runtime/ownership/words.h"

#include "runtime/ownership/coordinate.h"
#include "runtime/platform/patience.h"
#include "runtime/platform/spin_lock.h"

namespace isosan::rt {
namespace {

// Rule 6. rdsh_clock(s): whoever wants to read a read-shared word made so far comes after this
// epoch of slot s. The counter names states of this clock; it moves only when the clock does.
// former_readers(s): the last epoch in which slot s read a word that was its own then, and is
// read-shared now. Whoever writes comes after it.
std::atomic<std::uint64_t> rdsh_clock[kMaxSlots];
std::atomic<std::uint64_t> former_readers[kMaxSlots];
std::atomic<std::uint64_t> rdsh_counter{1};
SpinLock rdsh_lock;  // the clock and its counter move together

std::atomic<bool> data_markers{false};  // some were written

void take_order_of_data(Thread& t, Slot& other) {
  data_markers.store(true, std::memory_order_relaxed);
  take_order(t, other, log::Code::kMarker);
}

void count_race() { g_log.header->racy_transfers.fetch_add(1, std::memory_order_relaxed); }

// Nothing of the owner's is outstanding on a word without masks: it was last used by an atomic
// operation (which held it) or handed out by malloc.
bool is_quiet(Word w) { return (w & kMasks) == 0; }

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
         covers(t, slot, former_readers[slot].load(std::memory_order_acquire));
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

}  // namespace

// Rule 1: where synchronization is no dependence, the data of an ordered transfer still is one. The
// same where the order may come from a marker that was written for other data: it told of
// everything that the other thread had done by then, but only of one dependence.
void note_incoming_data(Thread& t) {
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
void order_after_owner(Thread& t, Word before, bool plain) {
  Slot& owner = slot_at(slot_of(before));
  if (!is_quiet(before)) {
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
void order_after_readers(Thread& t) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == t.slot->index) continue;
    if (!g_log.strict && comes_after_reads_of(t, i)) continue;
    coordinate(t, slot_at(i));
    if (!comes_after_reads_of(t, i)) take_order_of_data(t, slot_at(i));
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
    take_order_of_data(t, slot_at(i));
    t.rdsh_seen[i] = needed;
  }
  t.rdsh_limit = counter;
  if (shared_reads_inline(t)) t.block->rdsh_limit = counter;
}

// RdEx of `before`'s owner becomes RdSh: the readers need not be ordered, but a later reader must
// come after everything the owner came after; and after the owner, if that may have written.
Word make_read_shared(Thread& t, Word before) {
  const Slot& owner = slot_at(slot_of(before));
  const std::uint64_t epoch = epoch_of(before);
  const std::uint64_t needed = clean_bit(before) != 0 ? 0 : epoch - 1;  // of the owner's epochs
  const bool unordered = covers(t, owner.index, needed) && knows_as_much_as(t, owner);
  std::uint64_t counter;
  {
    SpinGuard guard(rdsh_lock);
    raise(former_readers[owner.index], epoch);
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
