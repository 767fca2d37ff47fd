#include "runtime/modes/unordered.h"

#include "runtime/calls/call_stack.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/readers.h"
#include "runtime/platform/pool.h"
#include "runtime/shadow/granule_tags.h"

namespace isosan::rt {
namespace unordered {

UnorderedGranules* g_table = nullptr;

namespace {

// The writer (a tag) for which the counter of the shared clock moved, of its latest values.
constexpr std::uint64_t kKeptWriters = 1024;
std::atomic<Word> shared_writers[kKeptWriters];

bool adds_transfers = false;  // modes that build on this one add other words to the table
void note(std::uint64_t address) {
  if (adds_transfers) g_table->add(address);
}

// The tag of the thread that wrote an exclusive word last, or a later tag; 0: no thread wrote it.
// (A word that came to a reader by nothing but a marker says that the reader wrote it: it is in the
// table.)
Word writer_before(std::uint64_t address, Word w) {
  if (is_clean(w)) return last_writers.get(address);
  return make_tag(slot_of(w), is_written(w) ? epoch_of(w) : epoch_of(w) - 1);
}

// The last epoch, at the latest, in which the slot's thread read this granule while it was its own.
std::uint64_t last_read_alone(std::uint32_t slot, std::uint64_t address) {
  const std::uint64_t coarse = former_read(slot);
  const Word former = former_readers.get(address);
  if (former == kUnknownTag || slot_of(former) != slot) return coarse;
  return epoch_of(former) > coarse ? epoch_of(former) : coarse;
}

std::uint64_t last_read(const Thread& t, std::uint32_t slot, const Granules& granules) {
  return last_read_by(t, slot_at(slot), granules, last_read_alone(slot, granules.address));
}

// The limit goes up to the first writer that this thread does not come after.
void raise_limit(Thread& t) {
  const std::uint64_t counter =
      g_shared_clock.counter.load(std::memory_order_acquire);  // order: clock
  if (counter - t.shared.limit >= kKeptWriters) {
    if (comes_after_shared_writers(t)) set_shared_limit(t, counter);
    return;
  }
  std::uint64_t limit = t.shared.limit;
  while (limit < counter) {
    const Word writer = shared_writers[(limit + 1) % kKeptWriters].load(std::memory_order_relaxed);
    if (!comes_after_tag(t, writer)) break;
    ++limit;
  }
  std::atomic_thread_fence(std::memory_order_acquire);  // order: clock
  const std::uint64_t now = g_shared_clock.counter.load(std::memory_order_relaxed);
  if (now - t.shared.limit < kKeptWriters) set_shared_limit(t, limit);
}

// The counter for words of this writer: a thread whose limit reaches it comes after the writer. The
// clock moves after the counter, so a thread that finds the writer in the clock needs no lock.
std::uint64_t counter_with(Word writer) {
  std::atomic<std::uint64_t>& entry = g_shared_clock.writers[slot_of(writer)];
  if (writer == 0 || entry.load(std::memory_order_acquire) >= epoch_of(writer))  // order: clock
    return g_shared_clock.counter.load(std::memory_order_acquire);               // order: clock
  SpinGuard guard(g_shared_clock.lock);
  std::uint64_t counter = g_shared_clock.counter.load(std::memory_order_relaxed);
  if (entry.load(std::memory_order_relaxed) >= epoch_of(writer)) return counter;
  shared_writers[++counter % kKeptWriters].store(writer,
                                                 std::memory_order_release);  // order: clock
  g_shared_clock.counter.store(counter, std::memory_order_release);           // order: clock
  entry.store(epoch_of(writer), std::memory_order_release);                   // order: clock
  return counter;
}

bool take(Thread&, std::uint64_t address, Word before, Word after, Need need) {
  AtomicWord& word = shadow_word(address);
  if (need == Need::kWrite)  // the word itself says who wrote
    return word.compare_exchange_weak(before, after, std::memory_order_acq_rel);  // order: word
  if (!hold(word, before)) return false;
  keep_writer(address, before);
  give_up(word, after);
  return true;
}

void order_after_owner(Thread& t, std::uint64_t address, Word before, bool plain) {
  Slot& owner = slot_at(slot_of(before));
  note(address);
  if (of(t).data_seen[owner.index] >= epoch_of(before)) return;
  coordinate_with_owner(t, owner, before, plain);
  take_order_of_data(t, owner);
}

// No reader is brought to a safe point: that would end the reader's epoch.
void order_after_readers(Thread& t, const Granules& granules, std::uint64_t) {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // order: readers
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == t.slot->index) continue;
    const std::uint64_t last = last_read(t, i, granules);
    if (covers(t, i, last)) continue;
    note(granules.address);
    if (of(t).data_seen[i] < last) take_order_of_data(t, slot_at(i));
  }
}

bool order_after_writers(Thread& t, std::uint64_t address, Word) {
  order_after_writer(t, address);
  return true;
}

void thread_begins(Thread& t, const Thread* parent) {
  t.of_mode = pool_allocate(sizeof(PerThread));
  begin(of(t), t, parent);
}
void thread_ends(Thread& t) {
  end(of(t));
  pool_free(t.of_mode, sizeof(PerThread));
}

}  // namespace

void begin(PerThread& state, Thread& t, const Thread* parent) {
  state.data_seen = static_cast<std::uint64_t*>(pool_allocate(kMaxSlots * sizeof(Word)));
  if (parent != nullptr) t.shared.limit = parent->shared.limit;
}
void end(PerThread& state) { pool_free(state.data_seen, kMaxSlots * sizeof(Word)); }

void add_all() { g_table->add_all(); }

// What a thread leaves in its own memory from one piece to the next matters: any granule.
void work_handed_out(Thread&) {
  static std::atomic<bool> is_first{true};
  if (is_first.load(std::memory_order_relaxed) &&
      is_first.exchange(false, std::memory_order_relaxed))
    add_all();
}

void take_order_of_data(Thread& t, Slot& other) {
  const std::uint64_t closed = write_marker(t, other, log::Code::kOrderMarker);
  std::uint64_t& seen = of(t).data_seen[other.index];
  if (seen < closed) seen = closed;
}

bool comes_after_tag(const Thread& t, Word tag) {
  if (tag == 0 || tag == kUnknownTag) return tag == 0;
  return slot_of(tag) == t.slot->index || covers(t, slot_of(tag), epoch_of(tag));
}

bool comes_after_readers(const Thread& t, std::uint64_t address) {
  std::atomic_thread_fence(std::memory_order_seq_cst);  // order: readers
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i != t.slot->index && !covers(t, i, last_read(t, i, {address, 1}))) return false;
  }
  return true;
}

bool comes_after_writer(const Thread& t, std::uint64_t address, Word before) {
  return comes_after_tag(
      t, is_read_shared(before) ? last_writers.get(address) : writer_before(address, before));
}

void keep_writer(std::uint64_t address, Word before) {
  if (is_clean(before)) return;
  last_writers.set(address, before == 0 ? 0 : writer_before(address, before));
}

void order_after_writer(Thread& t, std::uint64_t address) {
  const Word writer = last_writers.get(address);
  if (!comes_after_tag(t, writer)) {
    note(address);
    const bool somebody = writer != kUnknownTag;
    if (somebody && of(t).data_seen[slot_of(writer)] < epoch_of(writer))
      take_order_of_data(t, slot_at(slot_of(writer)));
  }
  raise_limit(t);
}

Word share(Thread& t, std::uint64_t address, Word before) {
  const Word writer = writer_before(address, before);
  keep_writer(address, before);
  const bool known = comes_after_tag(t, writer);
  if (!known) {
    note(address);
    take_order_of_data(t, slot_at(slot_of(before)));
  }
  if (!former_readers.set(address, before)) {
    SpinGuard guard(g_shared_clock.lock);
    raise(g_shared_clock.former_readers[slot_of(before)], epoch_of(before));
  }
  return kReadShared | counter_with(known ? writer : 0);
}

std::uint64_t read_together(Thread& t, std::uint64_t address, std::uint64_t count) {
  const AtomicWord* const words = &shadow_word(address);
  const Word first = words[0].load(std::memory_order_acquire);  // order: word
  const Word writer = last_writers.get(address);
  const bool shared = is_read_shared(first) && !is_contended(first) && !is_held(first);
  if (!shared || !comes_after_tag(t, writer)) return 0;
  std::uint64_t n = 1;
  while (n < count && words[n].load(std::memory_order_acquire) == first &&  // order: word
         last_writers.get(address + n * kGranule) == writer) {
    ++n;
  }
  note_shared_walk(t, address, n * kGranule);
  return n;
}

}  // namespace unordered

Mode unordered_mode(UnorderedGranules& table) {
  unordered::g_table = &table;
  unordered::adds_transfers = true;
  return {.name = "unordered",
          .dependences_end_epochs = false,
          .takes_inline = false,
          .takes_atomics_inline = false,
          .holds_shared_loads = true,
          .in_bulk = false,
          .inherits_slots = false,
          .moves_clock = kAllKinds & ~kinds(Kind::kWaitEnd, Kind::kSemaphoreWait),
          .thread_begins = unordered::thread_begins,
          .thread_ends = unordered::thread_ends,
          .slot_is_reused = unordered::add_all,
          .take = unordered::take,
          .order_after_owner = unordered::order_after_owner,
          .order_after_readers = unordered::order_after_readers,
          .order_after_writers = unordered::order_after_writers,
          .share = unordered::share,
          .keep_writer = unordered::keep_writer,
          .read_together = unordered::read_together,
          .writes_object = unordered::note,  // operations on it are no accesses that would add it
          .work_handed_out = unordered::work_handed_out,
          .waits = end_waiting_regions};
}

}  // namespace isosan::rt
