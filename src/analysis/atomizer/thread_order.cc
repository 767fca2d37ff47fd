#include "analysis/atomizer/thread_order.h"

#include <algorithm>
#include <bit>

namespace isosan::atomizer {

void ThreadOrder::join(Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < kSlots; ++i) clock[i] = std::max(clock[i], other[i]);
}

bool ThreadOrder::knows(Slot slot, std::uint32_t others, Time last) const {
  for (; others != 0; others &= others - 1) {
    const auto other = static_cast<Slot>(std::countr_zero(others));
    if (known_[slot][other] <= std::min(last, acted_[other])) return false;
  }
  return true;
}

bool ThreadOrder::sees_others(Slot slot, std::uint32_t others, Time last) const {
  for (; others != 0; others &= others - 1) {
    const auto other = static_cast<Slot>(std::countr_zero(others));
    const Time until = std::max(known_[slot][other], seen_[slot][other]);
    if (until <= std::min(last, acted_[other])) return false;
  }
  return true;
}

void ThreadOrder::set_slot(ThreadId thread, Slot slot) {
  if (index(thread) >= slots_.size()) {
    slots_.resize(index(thread) + 1, kNoSlot);
    last_slots_.resize(index(thread) + 1, kNoSlot);
  }
  slots_[index(thread)] = last_slots_[index(thread)] = slot;
}

ThreadOrder::Slot ThreadOrder::unused_slot() {
  if (used_ == kCommon) return kCommon;
  alive_ |= only(used_);
  return used_++;
}

// For a thread without a fork in the trace: it knows nothing.
ThreadOrder::Slot ThreadOrder::give_slot(ThreadId thread) {
  const Slot slot = unused_slot();
  set_slot(thread, slot);
  return slot;
}

ThreadOrder::Slot ThreadOrder::slot_for_child_of(Slot parent) {
  if (parent == kCommon) return kCommon;
  for (Slot slot = 0; slot < used_; ++slot) {
    if ((alive_ & only(slot)) != 0 || !knows_end(parent, slot)) continue;
    alive_ |= only(slot);
    ended_[slot] = kNever;
    return slot;
  }
  return unused_slot();
}

void ThreadOrder::fork(ThreadId by, ThreadId child) {
  const Slot parent = slot_of(by);
  const Slot slot = slot_for_child_of(parent);
  advance_time();
  set_slot(child, slot);
  if (slot == kCommon) return;
  known_[parent][slot] = now_;  // all of the slot's threads before
  known_[slot] = known_[parent];
  known_[slot][parent] = now_;
  seen_[parent][slot] = now_;
  seen_[slot] = seen_[parent];
  seen_[slot][parent] = now_;
}

void ThreadOrder::end(ThreadId thread) {
  const Slot slot = slot_of(thread);
  advance_time();
  if (slot == kCommon || now_ == kLastTime) return;
  ended_[slot] = now_;
  alive_ &= ~only(slot);
}

void ThreadOrder::join(ThreadId by, ThreadId child) {
  const Slot slot = slot_of(child), joiner = slot_of(by);
  if (slot == kCommon || joiner == kCommon) return;
  if ((alive_ & only(slot)) != 0) end(child);
  advance_time();
  join(known_[joiner], known_[slot]);
  known_[joiner][slot] = now_;
  join(seen_[joiner], seen_[slot]);
  seen_[joiner][slot] = now_;
  slots_[index(child)] = kNoSlot;  // its slot may go to another thread
}

void ThreadOrder::arrive(const BarrierArrive& e) {
  leave(e.where.thread, e.object);
  const Slot slot = slot_of(e.where.thread);
  advance_time();
  BarrierUse& use = barriers_[e.object][e.generation % 2];
  if (use.generation != e.generation || use.departed) use = {e.generation, false, {}};
  if (slot == kCommon) return;
  join(use.arrived, known_[slot]);
  use.arrived[slot] = now_;
}

// A thread that used nothing since it arrived was waiting until now: all it did before now is
// known.
void ThreadOrder::extend_to_now(BarrierUse& use) {
  advance_time();
  for (Slot slot = 0; slot < kCommon; ++slot) {
    Time& arrived = use.arrived[slot];
    if (arrived != 0 && acted_[slot] < arrived) arrived = now_;
  }
  use.departed = true;
}

void ThreadOrder::depart(const BarrierDepart& e) {
  come(e.where.thread, e.object);
  const Slot slot = slot_of(e.where.thread);
  const auto found = barriers_.find(e.object);
  if (found == barriers_.end()) return;
  BarrierUse& use = found->second[e.generation % 2];
  if (use.generation != e.generation) return;
  if (!use.departed) extend_to_now(use);
  if (slot != kCommon) join(known_[slot], use.arrived);
}

void ThreadOrder::leave(ThreadId thread, Address object, LockMode mode) {
  const Slot slot = slot_of(thread);
  if (slot == kCommon) return;
  advance_time();
  Left& left = objects_[object];
  for (Clock* clock : {&left.by_all, &left.by_writers}) {
    join(*clock, seen_[slot]);
    (*clock)[slot] = now_;
    if (mode == LockMode::kShared) return;
  }
}

void ThreadOrder::come(ThreadId thread, Address object, LockMode mode) {
  const Slot slot = slot_of(thread);
  const auto found = objects_.find(object);
  if (slot == kCommon || found == objects_.end()) return;
  const Left& left = found->second;
  join(seen_[slot], mode == LockMode::kShared ? left.by_writers : left.by_all);
}

void ThreadOrder::forget(Address address, std::uint64_t size) {
  objects_.erase(objects_.lower_bound(address), objects_.lower_bound(address + size));
  if (barriers_.empty()) return;
  barriers_.erase(barriers_.lower_bound(address), barriers_.lower_bound(address + size));
}

}  // namespace isosan::atomizer
