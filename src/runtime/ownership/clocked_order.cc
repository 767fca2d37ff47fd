#include "runtime/ownership/clocked_order.h"

#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/readers.h"
#include "runtime/ownership/sharing.h"

namespace isosan::rt::clocked {
namespace {

void take_order_of_data(Thread& t, Slot& other, std::uint64_t epoch) {
  note_data_marker();
  take_order(t, other, epoch, true);
}

std::uint64_t last_read(const Thread& t, std::uint32_t slot, const Granules& granules) {
  return last_read_by(t, slot_at(slot), granules, former_read(slot));
}

void come_after_shared_writers(Thread& t) {
  const std::uint64_t counter =
      g_shared_clock.counter.load(std::memory_order_acquire);  // order: clock
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == t.slot->index) continue;
    const std::uint64_t needed =
        g_shared_clock.writers[i].load(std::memory_order_acquire);  // order: clock
    if (covers(t, i, needed) || t.shared.seen[i] >= needed) continue;
    take_order_of_data(t, slot_at(i), needed);
    t.shared.seen[i] = needed;
  }
  set_shared_limit(t, counter);
}

}  // namespace

bool take(Thread&, std::uint64_t address, Word before, Word after, Need) {
  return shadow_word(address).compare_exchange_weak(before, after,
                                                    std::memory_order_acq_rel);  // order: word
}

void order_after_owner(Thread& t, std::uint64_t, Word before, bool plain) {
  Slot& owner = slot_at(slot_of(before));
  coordinate_with_owner(t, owner, before, plain);
  take_order_of_data(t, owner, epoch_of(before));
}

// A write comes after every reader. A thread that comes after all reads of such words comes after
// the writers by that, too; otherwise it takes the order of the writers, too.
//
// A reader publishes last_rdsh and its entry in the filter between its check and its access. In a
// slow path it then looks at the word again after a fence, so the fence here makes both reliable.
// An inline check does not look again: if it races with this write, only coordination gives an
// order (strict mode).
void order_after_readers(Thread& t, const Granules& granules, std::uint64_t counter) {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // order: readers
  if (counter > t.shared.limit && !comes_after_all_shared_reads(t)) come_after_shared_writers(t);
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == t.slot->index) continue;
    if (!g_options.strict && covers(t, i, last_read(t, i, granules))) continue;
    coordinate(t, slot_at(i));
    const std::uint64_t last = last_read(t, i, granules);
    if (!covers(t, i, last)) take_order_of_data(t, slot_at(i), last);
  }
}

bool order_after_writers(Thread& t, std::uint64_t, Word) {
  come_after_shared_writers(t);
  return true;
}

// RdEx of `before`'s owner becomes RdSh: the readers need not be ordered, but a later reader must
// come after everything the owner came after; and after the owner, if that may have written.
Word share(Thread& t, std::uint64_t, Word before) {
  const Slot& owner = slot_at(slot_of(before));
  const std::uint64_t epoch = epoch_of(before);
  const bool unordered = needs_no_order(t, before);
  std::uint64_t counter;
  {
    SpinGuard guard(g_shared_clock.lock);
    raise(g_shared_clock.former_readers[owner.index], epoch);
    const bool moved = unordered ? raise_to_knowledge_of(owner, last_written(before))
                                 : raise(g_shared_clock.writers[owner.index], epoch);
    counter = next_counter(moved);
  }
  if (unordered) return kReadShared | counter;
  take_order_of_data(t, slot_at(owner.index), epoch);
  if (t.shared.seen[owner.index] < epoch) t.shared.seen[owner.index] = epoch;
  return kReadShared | counter;
}

}  // namespace isosan::rt::clocked
