#include "runtime/modes/locksets.h"

#include "runtime/calls/call_stack.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/words.h"
#include "runtime/shadow/granule_tags.h"

namespace isosan::rt {
namespace {

// Went from one thread to another in no order (or shares a bit with one that did), or was read by
// both. Who had it before is in former_readers.
UnorderedGranules handed_over;

// Lives of words: an address may be contended again after it was freed.
std::atomic<std::uint64_t> lives{0};

// True: not for the first time.
bool hand_over(Thread& t, std::uint64_t address, Word before) {
  if (handed_over.touches(address, 1)) return true;
  if (!former_readers.set(address, before)) return true;
  handed_over.add(address);
  tell_calls(t);
  return false;
}

bool comes_after_former(const Thread& t, std::uint64_t address) {
  return !handed_over.touches(address, 1) || comes_after_tag(t, former_readers.get(address));
}

bool in_region(const Thread& t) { return t.block->region_depth > 0 || t.loud_edges > 0; }

// Locks held, and all that makes a location another one to the analysis: its life, and (by the
// epoch) fork, join and barriers.
std::uint64_t key_of(const Thread& t, Word w) {
  return t.held.key() + (epoch_of(t) << kLifeBits | life_of(w)) * 0x9e3779b97f4a7c15u;
}

// True: this thread has not logged it yet with these locks. Marks it as being logged.
bool is_first_with_these_locks(Thread& t, std::uint64_t address, Word mask, Need need, Word w) {
  const std::uint64_t granule = address >> 3;
  const std::uint64_t access = granule << 9 | mask << 1 | (need == Need::kWrite);
  const std::uint64_t hash = (granule * 2 + (need == Need::kWrite)) * 0x9e3779b97f4a7c15u;
  ContendedAccess& seen = t.slot->contended_seen[hash >> (64 - kContendedSeenBits)];
  const ContendedAccess now{access, key_of(t, w)};
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
  if (need == Need::kWrite || is_written(before)) return hand_over(t, address, before);
  // What is only read needs no guard, as long as it is read without locks.
  if (!t.held.empty() || !comes_after_writer(t, address, before)) return true;
  if (!handed_over.touches(address, 1)) handed_over.add(address);
  return false;
}

void come_after_everybody(Thread& t) {
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i != t.slot->index) take_order(t, slot_at(i), log::Code::kOrderMarker);
  }
}

// The owner may have remembered that a range is its own. Reads of a read-shared word were not asked
// for their locks: it has no guard.
void make_contended(Thread& t, std::uint64_t address, Word before, Need need) {
  Word next = make_contended_word(lives.fetch_add(1, std::memory_order_relaxed));
  if (!is_read_shared(before)) {
    const std::uint32_t owner = slot_of(before);
    forget_ranges(slot_at(owner));
    take_order(t, slot_at(owner), log::Code::kOrderMarker);
    const std::uint64_t guard = t.held.innermost(need == Need::kWrite);
    next = guard != 0 ? with_guard(next, guard) : used_last_by(next, owner);
  }
  g_log.unordered->add(address);
  shadow_word(address).store(next, std::memory_order_release);
}

// Its guard is not held: it has none from here on, and comes after whoever used it last.
void use_without_guard(Thread& t, AtomicWord& word) {
  Word w = word.load(std::memory_order_relaxed);
  while (is_contended(w) && last_user(w) != t.slot->index) {
    if (!word.compare_exchange_weak(w, used_last_by(w, t.slot->index), std::memory_order_acq_rel))
      continue;
    if (last_user(w) == kNoSlot) return come_after_everybody(t);
    take_order(t, slot_at(last_user(w)), log::Code::kOrderMarker);
    return;
  }
}

}  // namespace

bool contend(Thread& t, std::uint64_t address, Word before, Need need) {
  if (!g_log.locksets || !becomes_contended(t, address, before, need)) return false;
  make_contended(t, address, before, need);
  return true;
}

bool is_news_of_contended(Thread& t, std::uint64_t address, Word mask, Need need) {
  ++t.contended_met;
  AtomicWord& word = shadow_word(address);
  const Word w = word.load(std::memory_order_relaxed);
  const std::uint64_t guard = guard_of(w);
  const bool guarded = guard != 0 && t.held.guards(guard, need == Need::kWrite);
  const bool every_time = !guarded && in_region(t);
  const bool news = every_time || is_first_with_these_locks(t, address, mask, need, w);
  if (!guarded && (news || guard != 0)) use_without_guard(t, word);
  if (news) tell_calls(t);
  return news;
}

}  // namespace isosan::rt
