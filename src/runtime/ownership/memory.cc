#include "runtime/ownership/memory.h"

#include "runtime/ownership/access.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/words.h"
#include "runtime/shadow/shadow.h"

namespace isosan::rt {
namespace {

// From here on the shadow is given back to the kernel instead of being written word by word.
constexpr std::uint64_t kBigBlock = 64 * 1024;

void log_memory(Thread& t, Kind kind, std::uint64_t address, std::uint64_t size,
                MemoryOrigin origin, std::uint64_t place) {
  call(g_mode.before_event, t);
  if (t.ignore > 0) origin = MemoryOrigin::kStack;  // the bytes are new locations, not written ones
  append_event(t.block, kind, address, place, static_cast<std::uint8_t>(origin));
  append_number(t.block, log::Code::kExtension, size);
}

// The bits in which any of these words differs from an unused one of this slot, whatever the epoch.
// Plain loads, so that the compiler vectorizes them. A program whose accesses race with malloc or
// free of the same memory may get a wrong order.
Word differences(std::uint64_t address, std::uint64_t size, Word ignored, Word mine) {
  const auto* words = reinterpret_cast<const Word*>(shadow_address(address));
  const std::uint64_t count = ((address & 7) + size + 7) / kGranule;
  Word different = 0;
  for (std::uint64_t i = 0; i < count; ++i) different |= (words[i] ^ mine) & ~ignored;
  return different;
}

// The thread comes after the threads that freed the words it reuses.
void reuse_words(Thread& t, std::uint64_t address, std::uint64_t size) {
  const Word mine = base_word(t);
  if (differences(address, size, kEpochField, mine) == 0) return;  // freed by this thread
  const std::uint32_t me = t.slot->index;
  std::uint32_t last = me;
  for (std::uint64_t at = address, end = address + size; at < end; at += kGranule) {
    AtomicWord& word = shadow_word(at);
    const Word w = word.load(std::memory_order_acquire);  // order: word
    if (is_exclusive(w) && slot_of(w) != me && slot_of(w) != last &&
        !covers(t, slot_of(w), epoch_of(w))) {
      last = slot_of(w);
      take_order(t, slot_at(last), epoch_of(w), false);
    }
    word.store(mine, std::memory_order_relaxed);
  }
}

// The words of big blocks, mappings and stacks do not say who freed them. So the thread comes after
// all threads that freed any.
void come_after_big_frees(Thread& t) {
  for (std::uint32_t i = 0; i < slots_in_use(); ++i) {
    if (i == t.slot->index) continue;
    const std::uint64_t freed =
        slot_at(i).big_free.load(std::memory_order_acquire);  // order: epoch
    if (!covers(t, i, freed)) take_order(t, slot_at(i), freed, false);
  }
}

// Nothing to order where all words are this thread's own.
void take_words(Thread& t, std::uint64_t address, std::uint64_t size) {
  const Word not_owner = ~(kExclusive | kHeld | kSlotField);
  if (differences(address, size, not_owner, base_word(t)) != 0) take_block(t, address, size);
}

}  // namespace

void memory_allocated(Thread& t, std::uint64_t address, std::uint64_t size, MemoryOrigin origin,
                      std::uint64_t place) {
  poll(t);
  if (size == 0) return;
  forget_ranges(*t.slot);
  const bool big = size >= kBigBlock;
  if (big || origin != MemoryOrigin::kHeap) come_after_big_frees(t);
  if (big) {
    forget_shadow(address, size);
  } else {
    reuse_words(t, address, size);
  }
  log_memory(t, Kind::kAllocate, address, size, origin, place);
}

void memory_renewed(Thread& t, std::uint64_t address, std::uint64_t size, std::uint64_t place) {
  poll(t);
  forget_ranges(*t.slot);
  take_words(t, address, size);
  log_memory(t, Kind::kFree, address, size, MemoryOrigin::kStack, place);
  set_shadow(address, size, base_word(t));
}

void stack_taken(Thread& t) { come_after_big_frees(t); }

void memory_freed(Thread& t, std::uint64_t address, std::uint64_t size, MemoryOrigin origin,
                  std::uint64_t place) {
  poll(t);
  if (size == 0) return;
  forget_ranges(*t.slot);
  const bool big = size >= kBigBlock || origin != MemoryOrigin::kHeap;
  if (!big) take_words(t, address, size);
  log_memory(t, Kind::kFree, address, size, origin, place);
  if (big) {
    t.slot->big_free.store(epoch_of(t), std::memory_order_release);  // order: epoch
    forget_shadow(address, size);
  } else {
    set_shadow(address, size, base_word(t));
  }
}

void work_handed_out(Thread& t, std::uint64_t own_stack, std::uint64_t size, std::uint64_t place) {
  if (g_mode.work_handed_out == nullptr) return;
  poll(t);
  g_mode.work_handed_out(t);
  log_memory(t, Kind::kAllocate, size == 0 ? 0 : own_stack, 0, MemoryOrigin::kStack, place);
  if (size != 0) log_memory(t, Kind::kFree, own_stack + size, 0, MemoryOrigin::kStack, place);
  bump_epoch(t);
}

}  // namespace isosan::rt
