#include "runtime/ownership/read_shared.h"

namespace isosan::rt {

SharedClock g_shared_clock;

bool raise(std::atomic<std::uint64_t>& entry, std::uint64_t epoch) {
  if (entry.load(std::memory_order_relaxed) >= epoch) return false;
  entry.store(epoch, std::memory_order_release);  // order: clock
  return true;
}

void set_shared_limit(Thread& t, std::uint64_t counter) {
  t.shared.limit = counter;
  if (shared_reads_inline(t)) t.block->rdsh_limit = counter;
}

bool comes_after_shared_writers(const Thread& t) {
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t needed =
        g_shared_clock.writers[i].load(std::memory_order_acquire);  // order: clock
    if (i != t.slot->index && !covers(t, i, needed)) return false;
  }
  return true;
}

// If something was published in the word's own epoch or later, that says nothing of the write.
std::uint64_t last_written(Word w) {
  if (is_clean(w)) return 0;
  const std::uint64_t before = epoch_of(w) - 1;
  if ((read_flags(w) & kSettled) == 0) return before;
  const std::uint64_t published =
      slot_at(slot_of(w)).published.load(std::memory_order_acquire);  // order: epoch
  return published < before ? published : before;
}

namespace {

// Does this thread come after all that another one (the slot) came after?
bool knows_as_much_as(const Thread& t, const Slot& other) {
  const std::uint32_t count = slots_in_use();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == other.index || i == t.slot->index) continue;
    if (!covers(t, i, other.clock[i].load(std::memory_order_acquire)))
      return false;  // order: clock
  }
  return true;
}

}  // namespace

bool needs_no_order(const Thread& t, Word w) {
  return covers(t, slot_of(w), last_written(w)) && knows_as_much_as(t, slot_at(slot_of(w)));
}

}  // namespace isosan::rt
