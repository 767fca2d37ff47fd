#include "runtime/modes/quiet_slots.h"

#include "runtime/platform/os.h"

namespace isosan::rt::quiet {

std::atomic<std::uint64_t> g_generation{0};

namespace {

struct AllSlots {
  SpinLock& lock(std::uint32_t slot) { return slot_at(slot).lock; }
  Drops& drops(std::uint32_t slot) { return slot_state(slot_at(slot)).drops; }
  void before_raise() {
    g_generation.fetch_add(1, std::memory_order_release);  // order: drop
  }
};

// With the lock.
Visible now_visible(const OfSlot& slot) {
  if (slot.block == nullptr) return {slot.thread, slot.final_position};
  return {slot.thread, slot.block->visible.load(std::memory_order_relaxed)};
}

}  // namespace

bool is_dropped(std::uint32_t slot, std::uint64_t epoch) {
  return Resolver<AllSlots>({}).is_dropped(slot, epoch);
}

OfSlot* known_of(Slot& slot) {
  return static_cast<OfSlot*>(
      std::atomic_ref(slot.of_mode).load(std::memory_order_acquire));  // order: table
}

void enter(Thread& t) {
  Slot& slot = *t.slot;
  if (slot.of_mode == nullptr) {
    auto* fresh = new (map_pages(sizeof(OfSlot))) OfSlot;
    fresh->ordered = static_cast<Visible*>(map_pages(kMaxSlots * sizeof(Visible)));
    fresh->drops.clear();
    std::atomic_ref(slot.of_mode)
        .store(static_cast<void*>(fresh), std::memory_order_release);  // order: table
  }
  SpinGuard guard(slot.lock);
  OfSlot& mine = slot_state(slot);
  mine.block = t.block;
  mine.thread = t.id;
  mine.drops.open(epoch_of(t));
}

Visible visible_of(Slot& slot) {
  SpinGuard guard(slot.lock);
  return now_visible(slot_state(slot));
}

void make_visible(OfSlot& slot) {
  if (slot.block == nullptr) return;
  log::ThreadBlock& block = *slot.block;
  const std::uint64_t position =
      std::atomic_ref<std::uint64_t>(block.position).load(std::memory_order_acquire);  // order: log
  ISOSAN_CHECK(position >= block.visible.load(std::memory_order_relaxed));
  block.keeps_back.store(0, std::memory_order_relaxed);
  block.visible.store(position, std::memory_order_release);  // order: log
}

bool keep_transaction(Slot& slot, std::uint64_t epoch, Visible& visible, std::uint64_t& closed) {
  SpinGuard guard(slot.lock);
  OfSlot& state = slot_state(slot);
  closed = slot.epoch.load(std::memory_order_acquire) - 1;  // order: epoch
  if (state.drops.dropped_until() >= epoch) return false;
  make_visible(state);
  visible = now_visible(state);
  return true;
}

}  // namespace isosan::rt::quiet
