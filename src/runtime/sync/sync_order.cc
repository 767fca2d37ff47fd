#include "runtime/sync/sync_order.h"

namespace isosan::rt {
namespace {

Contribution contribution_of(const Thread& t) {
  return {t.slot->index, t.id, epoch_of(t), t.block->position};
}

// f(contribution) for those in R, until it gives true.
template <class F>
void for_each_in_r(const SyncObject& object, F f) {
  if (object.r_count == 0) return;
  for (ReaderCell* cell = object.cells; cell != nullptr; cell = cell->next) {
    if (cell->version != version_of(object)) continue;
    cell->lock.lock();
    const Contribution left = cell->left;
    cell->lock.unlock();
    if (f(left)) return;
  }
}

ReaderCell* cell_of(const Thread& t, SyncObject& object) {
  for (ReaderCell* cell = object.cells; cell != nullptr; cell = cell->next)
    if (cell->left.slot == t.slot->index) return cell;
  auto* cell = new (pool_allocate(sizeof(ReaderCell))) ReaderCell;
  cell->next = object.cells;
  return object.cells = cell;
}

void leave_in(ReaderCell& cell, const Contribution& left) {
  SpinGuard guard(cell.lock);
  cell.left = left;
}

LatelyLocked& remembered(Thread& t, SyncObject& object) {
  LatelyLocked& lately = lately_locked(t, object.address);
  if (lately.object != &object) lately = {.address = object.address, .object = &object};
  return lately;
}

}  // namespace

bool come_after(Thread& t, const Contribution& left, bool moves_clock) {
  if (left.slot == t.slot->index || covers(t, left.slot, left.epoch)) return false;
  if (g_mode.comes_after != nullptr) return g_mode.comes_after(t, left, moves_clock);
  append_sync_marker(t.block, left.thread, left.position);
  if (moves_clock) raise_clock(t, left.slot, left.epoch);
  return true;
}

bool observe_w(Thread& t, const SyncObject& object, bool moves_clock) {
  if (!object.w_set || object.w.thread == t.id) return false;
  const bool marked = come_after(t, object.w, moves_clock);
  if (moves_clock) object.w_clock.hand_to(t);
  return marked;
}

bool observe_r(Thread& t, const SyncObject& object, bool moves_clock) {
  bool marked = false;
  for_each_in_r(object, [&](const Contribution& left) {
    marked |= come_after(t, left, moves_clock);
    return false;
  });
  if (moves_clock && object.r_count > 0) object.r_clock.hand_to(t);
  return marked;
}

void stand_behind_last(Thread& t, const SyncObject& object) {
  const Contribution& last = object.last;
  if (!object.last_set || last.thread == t.id || covers(t, last.slot, last.epoch)) return;
  if (g_mode.take_order != nullptr) {
    g_mode.take_order(t, slot_at(last.slot), last.epoch, /*is_dependence=*/false);
  } else {
    append_marker(t.block, log::Code::kOrderMarker, last.thread, last.position);
  }
}

void become_last(const Thread& t, SyncObject& object) {
  object.last = contribution_of(t);
  object.last_set = true;
}

void set_w(const Thread& t, SyncObject& object) {
  object.w_set = true;
  object.w = contribution_of(t);
  object.w_clock.become(t);
  begin_next_version(object);
  if (object.r_count == 0) return;
  object.r_count = 0;
  object.r_clock.clear();
}

void join_r(Thread& t, SyncObject& object) {
  object.r_clock.join(t);
  ReaderCell& cell = *cell_of(t, object);
  const std::uint64_t version = version_of(object);
  if (cell.version != version) ++object.r_count;
  cell.version = version;
  leave_in(cell, contribution_of(t));
  LatelyLocked& lately = remembered(t, object);
  lately.joined = version;
  lately.with_clock = t.clock_version;
  lately.cell = &cell;
}

bool has_observed_w(Thread& t, std::uint64_t lock) {
  const LatelyLocked& lately = lately_locked(t, lock);
  return lately.address == lock && lately.object != nullptr &&
         lately.observed == version_of(*lately.object);
}

bool join_r_again(Thread& t, std::uint64_t lock) {
  const LatelyLocked& lately = lately_locked(t, lock);
  if (lately.address != lock || lately.object == nullptr || lately.with_clock != t.clock_version ||
      lately.joined != version_of(*lately.object)) {
    return false;
  }
  leave_in(*lately.cell, contribution_of(t));
  return true;
}

void remember_observed_w(Thread& t, SyncObject& object) {
  const bool done =
      !object.w_set || object.w.slot == t.slot->index || covers(t, object.w.slot, object.w.epoch);
  if (done) remembered(t, object).observed = version_of(object);
}

}  // namespace isosan::rt
