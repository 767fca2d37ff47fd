#include "runtime/ownership/read_shared.h"

#include "runtime/platform/spin_lock.h"
#include "runtime/shadow/granule_tags.h"
#include "runtime/shadow/pieces.h"

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

std::uint64_t last_read_alone(const Slot& slot, std::uint64_t address) {
  const std::uint64_t coarse = coarse_former_readers[slot.index].load(std::memory_order_acquire);
  if (g_log.unordered == nullptr) return coarse;
  const Word former = former_readers.get(address);
  if (former == kUnknownTag || slot_of(former) != slot.index) return coarse;
  return epoch_of(former) > coarse ? epoch_of(former) : coarse;
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

// Of a RdEx word: in which epoch its owner wrote last, at the latest. 0: not since it came to it.
// If something was published in the word's own epoch or later, that says nothing of it.
std::uint64_t last_written(Word w) {
  if (is_clean(w)) return 0;
  const std::uint64_t before = epoch_of(w) - 1;
  if ((read_flags(w) & kSettled) == 0) return before;
  const std::uint64_t published = slot_at(slot_of(w)).published.load(std::memory_order_acquire);
  return published < before ? published : before;
}

// May a RdEx word of another be read without coming after anything more?
bool needs_no_order(const Thread& t, Word w) {
  return covers(t, slot_of(w), last_written(w)) && knows_as_much_as(t, slot_at(slot_of(w)));
}

}  // namespace

// RdEx of `before`'s owner becomes RdSh: the readers need not be ordered, but a later reader must
// come after everything the owner came after; and after the owner, if that may have written.
Word make_read_shared(Thread& t, std::uint64_t address, Word before) {
  if (g_log.unordered != nullptr) return share_after_writer(t, address, before);
  const Slot& owner = slot_at(slot_of(before));
  const std::uint64_t epoch = epoch_of(before);
  const std::uint64_t needed = last_written(before);
  const bool unordered = needs_no_order(t, before);
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

namespace {

// May the word become read-shared though this thread does not read it now? Then by whom and when it
// was written last, at the latest.
bool is_settled(const Thread& t, Word w, std::uint64_t& written) {
  if (!is_exclusive(w) || is_held(w)) return false;
  const bool own = is_own(t, w);
  written = is_written(w) ? epoch_of(w) : last_written(w);
  if (own) return written <= t.slot->published.load(std::memory_order_relaxed);
  return is_written(w) ? covers(t, slot_of(w), written) : needs_no_order(t, w);
}

// Of words that are shared together.
struct ToShare {
  AtomicWord* word;
  Word before;
  std::uint64_t written;
};

// The counter, after which whoever has the limit may read them.
std::uint64_t counter_after_sharing(const ToShare* words, std::uint32_t count) {
  SpinGuard guard(rdsh_lock);
  bool moved = false;
  std::uint32_t known = kNoSlot;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t owner = slot_of(words[i].before);
    if (!is_written(words[i].before))
      raise(coarse_former_readers[owner], epoch_of(words[i].before));
    moved |= owner == known ? raise(rdsh_clock[owner], words[i].written)
                            : raise_to_knowledge_of(slot_at(owner), words[i].written);
    known = owner;
  }
  std::uint64_t counter = rdsh_counter.load(std::memory_order_relaxed);
  if (moved) rdsh_counter.store(++counter, std::memory_order_release);
  return counter;
}

// Around a word that becomes read-shared so many lines do, as a power of two: more each time in the
// same page, until a word of it is written to by itself. Pages share an entry.
constexpr std::uint64_t kLine = 8;
constexpr std::uint64_t kPage = 512;  // words
constexpr std::uint8_t kMostDoublings = 6;
static_assert(kLine << kMostDoublings == kPage);
constexpr std::uint64_t kPagesKept = 4096;
std::atomic<std::uint8_t> shared_lines[kPagesKept];
std::atomic<std::uint8_t>& shared_around(std::uint64_t address) {
  return shared_lines[address / (kPage * kGranule) % kPagesKept];
}

}  // namespace

std::uint64_t share_granules(Thread& t, std::uint64_t address, std::uint64_t count) {
  if (g_log.unordered != nullptr || g_log.strict) return 0;
  AtomicWord* const at = &shadow_word(address);
  ToShare words[kSharedAtOnce];
  std::uint32_t found = 0;
  Word last = 0;
  std::uint64_t written = 0;
  bool settled = false;
  for (std::uint64_t i = 0; i < count && i < kSharedAtOnce; ++i) {
    const Word w = at[i].load(std::memory_order_acquire);
    if (w != last) settled = is_settled(t, w, written);
    last = w;
    if (settled) words[found++] = {&at[i], w, written};
  }
  if (found == 0) return 0;
  const Word shared = kReadShared | counter_after_sharing(words, found);
  std::atomic_thread_fence(std::memory_order_acq_rel);
  for (std::uint32_t i = 0; i < found; ++i)
    words[i].word->compare_exchange_strong(words[i].before, shared, std::memory_order_relaxed);
  return found;
}

namespace {

// Any at all?
bool share_all(Thread& t, std::uint64_t address, std::uint64_t count) {
  std::uint64_t found = 0;
  for (std::uint64_t i = 0; i < count; i += kSharedAtOnce)
    found += share_granules(t, address + i * kGranule, count - i);
  return found != 0;
}

// Pages beside one that is shared as a whole, as far as the same holds of them and some of it is to
// be shared. Only those whose shadow is mapped, if hers is.
void share_pages_beside(Thread& t, std::uint64_t page, std::uint64_t step) {
  constexpr int kMost = 64;
  const std::uint64_t piece = piece_of(page);
  for (int i = 0; i < kMost; ++i) {
    page += step;
    const bool as_a_whole = shared_around(page).load(std::memory_order_relaxed) == kMostDoublings;
    if (!as_a_whole || piece_of(page) != piece || !share_all(t, page, kPage)) return;
  }
}

}  // namespace

void share_neighbours(Thread& t, std::uint64_t address) {
  std::atomic<std::uint8_t>& doublings = shared_around(address);
  const std::uint8_t now = doublings.load(std::memory_order_relaxed);
  const std::uint64_t count = kLine << now, first = address & ~(count * kGranule - 1);
  share_all(t, first, count);
  if (now < kMostDoublings) return doublings.store(now + 1, std::memory_order_relaxed);
  share_pages_beside(t, first, kPage * kGranule);
  share_pages_beside(t, first, -(kPage * kGranule));
}

void share_fewer(std::uint64_t address) {
  std::atomic<std::uint8_t>& doublings = shared_around(address);
  if (doublings.load(std::memory_order_relaxed) != 0) doublings.store(0, std::memory_order_relaxed);
}

}  // namespace isosan::rt
