#include "runtime/modes/locksets.h"

#include "runtime/calls/call_stack.h"
#include "runtime/modes/held_locks.h"
#include "runtime/modes/unordered.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/platform/os.h"
#include "runtime/platform/pool.h"
#include "runtime/shadow/granule_tags.h"

namespace isosan::rt {
namespace {

using unordered::comes_after_readers;
using unordered::comes_after_tag;
using unordered::comes_after_writer;

struct PerThread {
  unordered::PerThread unordered;  // first
  HeldLocks held;
};
PerThread& of(const Thread& t) { return *static_cast<PerThread*>(t.of_mode); }

// An access to a contended word, logged with the locks held. Each slot keeps a table of them.
// Epochs of a slot only grow, so the entries of its last thread match nothing of the next.
struct LoggedAccess {
  std::uint64_t access = 0;
  std::uint64_t key = 0;
  bool operator==(const LoggedAccess&) const = default;
};
constexpr int kLoggedBits = 14;
LoggedAccess* logged_by(Slot& slot) {
  if (slot.of_mode == nullptr) slot.of_mode = map_pages(sizeof(LoggedAccess) << kLoggedBits);
  return static_cast<LoggedAccess*>(slot.of_mode);
}

void thread_begins(Thread& t, const Thread* parent) {
  auto* state = new (pool_allocate(sizeof(PerThread))) PerThread;
  t.of_mode = state;
  unordered::begin(state->unordered, t, parent);
}
void thread_ends(Thread& t) {
  of(t).held.release();
  unordered::end(of(t).unordered);
  pool_free(t.of_mode, sizeof(PerThread));
}

// The first call of each function is logged in any case.
bool was_logged_before(Thread&, const OpenEdge& edge) {
  if (!is_pass_function(edge)) return false;
  FunctionRecord& function = *reinterpret_cast<FunctionRecord*>(edge.place);
  if (function.call_logged != 0) return true;
  function.call_logged = 1;
  return false;
}

void lock_acquired(Thread& t, std::uint64_t lock, LockMode mode) {
  of(t).held.add(lock, mode, t.contended_uses);
}
bool lock_released(Thread& t, std::uint64_t lock) {
  return of(t).held.remove(lock) == t.contended_uses;
}

// Words that two threads read, one after the other (or that share a bit with such a word).
// former_readers has the thread that had the word before.
UnorderedGranules handed_over;

// Lives of words: an address may be contended again after it was freed.
std::atomic<std::uint64_t> lives{0};

bool comes_after_former(const Thread& t, std::uint64_t address) {
  return !handed_over.touches(address, 1) || comes_after_tag(t, former_readers.get(address));
}

// A lock scope may be one (spec/lock_scopes.h).
bool in_region(const Thread& t) {
  return t.block->region_depth > 0 || t.calls.loud_edges > 0 || !of(t).held.empty();
}

// The locks held, and everything that makes a word another location to the analysis: its life, and
// (by the epoch) fork, join and barriers.
std::uint64_t key_of(const Thread& t, Word w) {
  return of(t).held.key() + (epoch_of(t) << kLifeBits | life_of(w)) * 0x9e3779b97f4a7c15u;
}

// True: this thread has not logged it yet with these locks. Marks it as being logged.
bool is_first_with_these_locks(Thread& t, std::uint64_t address, Word mask, Need need, Word w) {
  const std::uint64_t granule = address >> 3;
  const std::uint64_t access = granule << 9 | mask << 1 | (need == Need::kWrite);
  const std::uint64_t hash = (granule * 2 + (need == Need::kWrite)) * 0x9e3779b97f4a7c15u;
  LoggedAccess& seen = logged_by(*t.slot)[hash >> (64 - kLoggedBits)];
  const LoggedAccess now{access, key_of(t, w)};
  if (seen == now) return false;
  seen = now;
  return true;
}

bool becomes_contended(Thread& t, std::uint64_t address, Word before, Need need) {
  if (is_read_shared(before)) {
    return need == Need::kWrite ? !comes_after_readers(t, address)
                                : !comes_after_writer(t, address, before);
  }
  if (covers(t, slot_of(before), epoch_of(before))) return !comes_after_former(t, address);
  if (need == Need::kWrite || is_written(before)) return true;
  // What is only read needs no guard, as long as it is read without locks.
  if (!of(t).held.empty() || !comes_after_writer(t, address, before)) return true;
  if (!comes_after_former(t, address)) return true;
  if (!handed_over.touches(address, 1)) handed_over.add(address);
  return false;
}

void come_after_everybody(Thread& t) {
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i != t.slot->index) write_marker(t, slot_at(i), log::Code::kOrderMarker);
  }
}

// The owner may have remembered that a range is its own. Reads of a read-shared word did not record
// the locks held: the word gets no guard.
void make_contended(Thread& t, std::uint64_t address, Word before, Need need) {
  Word next = make_contended_word(lives.fetch_add(1, std::memory_order_relaxed));
  if (!is_read_shared(before)) {
    const std::uint32_t owner = slot_of(before);
    forget_ranges(slot_at(owner));
    write_marker(t, slot_at(owner), log::Code::kOrderMarker);
    const std::uint64_t guard = of(t).held.innermost(need == Need::kWrite);
    next = guard != 0 ? with_guard(next, guard) : used_last_by(next, owner);
  }
  unordered::g_table->add(address);
  give_up(shadow_word(address), next);
}

// The guard is not held: the word has none from here on. The thread comes after the last user.
void use_without_guard(Thread& t, AtomicWord& word) {
  Word w = word.load(std::memory_order_relaxed);
  while (is_contended(w) && last_user(w) != t.slot->index) {
    if (!word.compare_exchange_weak(w, used_last_by(w, t.slot->index),
                                    std::memory_order_acq_rel))  // order: word
      continue;
    if (last_user(w) == kNoSlot) return come_after_everybody(t);
    write_marker(t, slot_at(last_user(w)), log::Code::kOrderMarker);
    return;
  }
}

bool contend(Thread& t, std::uint64_t address, Word before, Need need) {
  if (!becomes_contended(t, address, before, need)) return false;
  make_contended(t, address, before, need);
  return true;
}

// An atomic operation is also news if somebody else has used the word since: it may come after him.
bool use_contended(Thread& t, std::uint64_t address, Word mask, Need need, bool atomic) {
  AtomicWord& word = shadow_word(address);
  const Word w = word.load(std::memory_order_relaxed);
  const std::uint64_t guard = guard_of(w);
  const bool guarded = guard != 0 && of(t).held.guards(guard, need == Need::kWrite);
  const bool every_time = !guarded && in_region(t);
  const bool after_others = atomic && !guarded && last_user(w) != t.slot->index;
  const bool news =
      every_time || after_others || is_first_with_these_locks(t, address, mask, need, w);
  if (!guarded && (news || guard != 0)) use_without_guard(t, word);
  if (news) log_calls(t);
  return news;
}

bool take(Thread& t, std::uint64_t address, Word before, Word after, Need need) {
  AtomicWord& word = shadow_word(address);
  if (!hold(word, before)) return false;
  if (before != 0 && contend(t, address, before, need)) return false;
  if (need == Need::kRead) unordered::keep_writer(address, before);
  give_up(word, after);
  return true;
}

// The owner is not asked for anything: it may have remembered that a range is its own.
void order_after_owner(Thread& t, std::uint64_t, Word before, bool) {
  Slot& owner = slot_at(slot_of(before));
  if (of(t).unordered.data_seen[owner.index] >= epoch_of(before)) return;
  forget_ranges(owner);
  unordered::take_order_of_data(t, owner);
}

void order_after_readers(Thread&, const Granules&, std::uint64_t) {}  // contend() has asked

bool order_after_writers(Thread& t, std::uint64_t address, Word before) {
  if (!comes_after_writer(t, address, before)) {
    if (hold(shadow_word(address), before) && !contend(t, address, before, Need::kRead))
      give_up(shadow_word(address), before);
    return false;
  }
  unordered::order_after_writer(t, address);
  return true;
}

}  // namespace

Mode locksets_mode(UnorderedGranules& table) {
  constexpr KindSet kBarrier = kinds(Kind::kBarrierArrive, Kind::kBarrierDepart);
  unordered::g_table = &table;
  return {.name = "locksets",
          .region_edges_end_epochs = false,
          .dependences_end_epochs = false,
          .takes_inline = false,
          .takes_atomics_inline = false,
          .holds_shared_loads = true,
          .in_bulk = false,
          .inherits_slots = false,
          .moves_clock = kBarrier,
          .ends_epoch = kBarrier,
          .thread_begins = thread_begins,
          .thread_ends = thread_ends,
          .slot_is_reused = unordered::add_all,
          .take = take,
          .keeps = contend,
          .use_contended = use_contended,
          .order_after_owner = order_after_owner,
          .order_after_readers = order_after_readers,
          .order_after_writers = order_after_writers,
          .share = unordered::share,
          .keep_writer = unordered::keep_writer,
          .read_together = unordered::read_together,
          .lock_acquired = lock_acquired,
          .lock_released = lock_released,
          .before_event = log_calls,
          .waits = end_waiting_regions,
          .logged_late = was_logged_before};
}

}  // namespace isosan::rt
