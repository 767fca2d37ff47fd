#include "runtime/ownership/sync.h"

#include "event/sync_effect.h"
#include "runtime/abi/lone_calls.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/lone_units.h"
#include "runtime/ownership/sync_objects.h"
#include "runtime/ownership/withheld.h"
#include "runtime/ownership/words.h"
#include "runtime/schedule/schedule.h"

namespace isosan::rt {
namespace {

bool is_still_withheld(const Contribution& c) {
  return c.withheld && slot_at(c.slot).withheld_from.load(std::memory_order_acquire) <= c.epoch;
}

// Of what was withheld then: as far as it is told by now, or left out.
Contribution as_told(const Contribution& c) {
  const Standing now = standing_of(slot_at(c.slot));
  return {c.slot, now.thread, now.closed < c.epoch ? now.closed : c.epoch, now.position};
}

bool come_after(Thread& t, const Contribution& c, bool moves_clock) {
  if (c.withheld && c.slot != t.slot->index) {
    const Contribution told = as_told(c);
    const bool marked = come_after(t, told, moves_clock);
    if (moves_clock) raise_clock(t, told.slot, told.epoch);
    return marked;
  }
  if (c.slot == t.slot->index || covers(t, c.slot, c.epoch)) return false;
  append_before_withheld(
      t, [&](log::ThreadBlock& block) { append_sync_marker(&block, c.thread, c.position); });
  return true;
}

bool observe_w(Thread& t, const SyncObject& object, bool moves_clock) {
  if (!object.w_set || object.w.thread == t.id) return false;
  const bool marked = come_after(t, object.w, moves_clock);
  if (moves_clock) object.w_clock.hand_to(t);
  return marked;
}

bool observe_r(Thread& t, const SyncObject& object, bool moves_clock) {
  if (object.r_count == 0) return false;
  bool marked = false;
  for (std::uint32_t i = 0; i < object.r_count; ++i)
    marked |= come_after(t, object.r[i], moves_clock);
  if (moves_clock) object.r_clock.hand_to(t);
  return marked;
}

// Who is woken, or by whose post, is no order where unordered granules are asked for. Where
// locksets are, only what every schedule has: fork, join and barriers.
bool moves_clock(Kind kind) {
  if (g_log.locksets) return kind == Kind::kBarrierArrive || kind == Kind::kBarrierDepart;
  return g_log.unordered == nullptr || (kind != Kind::kWaitEnd && kind != Kind::kSemaphoreWait);
}

Contribution contribution_of(const Thread& t) {
  return {t.slot->index, t.id, epoch_of(t), t.block->position, t.withholds != 0};
}

void set_w(const Thread& t, SyncObject& object) {
  object.w_set = true;
  object.w = contribution_of(t);
  object.w_clock.become(t);
  if (object.r_count == 0) return;
  object.r_count = 0;
  object.r_clock.clear();
}

void join_r(const Thread& t, SyncObject& object) {
  object.r_clock.join(t);
  for (std::uint32_t i = 0; i < object.r_count; ++i) {
    if (object.r[i].slot == t.slot->index) {
      object.r[i] = contribution_of(t);
      return;
    }
  }
  if (object.r_count == object.r_capacity) {
    const std::uint32_t grown = object.r_capacity == 0 ? 4 : object.r_capacity * 2;
    auto* bigger = static_cast<Contribution*>(pool_allocate(grown * sizeof(Contribution)));
    for (std::uint32_t i = 0; i < object.r_count; ++i) bigger[i] = object.r[i];
    pool_free(object.r, object.r_capacity * sizeof(Contribution));
    object.r = bigger;
    object.r_capacity = grown;
  }
  object.r[object.r_count++] = contribution_of(t);
}

// What publishes is told of before it happens: this is the point before it. What observes had its
// point before the real call.
bool publishes(const SyncEvent& event) {
  const SyncEffect effect = sync_effect(event.kind, event.detail, event.depth);
  return event.kind == Kind::kWaitBegin || (!effect.observes_w && !effect.observes_r);
}

bool has_number(Kind kind) { return kind == Kind::kBarrierArrive || kind == Kind::kBarrierDepart; }

// A unit of work ends there (analysis/marathon), as at joins: what is accessed again is another
// unit's access. Waits and forks publish, which ends an epoch anyway.
bool splits_units(Kind kind) { return kind == Kind::kBarrierDepart; }

// Two phases of a barrier can be under way at a time, and who leaves one does not come after those
// that have arrived at the next: they are two objects.
std::uint64_t object_of(const SyncEvent& event) {
  return has_number(event.kind) ? event.object + event.value % 2 : event.object;
}

// With the object locked.
void apply(Thread& t, SyncObject& object, const SyncEvent& event, SyncEffect effect) {
  bool marked = false;
  if (effect.observes_w) marked |= observe_w(t, object, moves_clock(event.kind));
  if (effect.observes_r) marked |= observe_r(t, object, moves_clock(event.kind));
  append_event(log_with_room(t, 1), event.kind, event.object, event.place, event.detail,
               event.depth);
  if (has_number(event.kind)) append_number(t.block, log::Code::kExtension, event.value);
  if (effect.sets_w) set_w(t, object);
  if (effect.joins_r) join_r(t, object);
  const bool observed = effect.observes_w || effect.observes_r;
  if (g_log.units && splits_units(event.kind)) {
    bump_epoch(t);
    split_units(t);
  } else if (effect.sets_w || effect.joins_r) {
    if (!moves_clock(event.kind) && g_log.locksets) return;
    if (!t.withholds) note_published(t);
    end_epoch(t);
  } else if (marked || (observed && orders_exceed_dependences())) {
    bump_outside_regions(t);
  }
}

const Contribution* still_withheld(const Thread& t, const SyncObject& object, SyncEffect effect) {
  if (effect.observes_w && object.w.thread != t.id && is_still_withheld(object.w)) return &object.w;
  for (std::uint32_t i = 0; effect.observes_r && i < object.r_count; ++i) {
    if (object.r[i].slot != t.slot->index && is_still_withheld(object.r[i])) return &object.r[i];
  }
  return nullptr;
}

// The object is about to be observed. Who published there in a unit that is withheld and goes on is
// asked to tell it before. Who does so again and again meanwhile is not waited for: then this
// thread comes after what is told.
void ask_withheld(Thread& t, LockedObject& object, SyncEffect effect) {
  for (std::uint32_t asked = 0; g_log.leaves_out && asked < slots_in_use(); ++asked) {
    const Contribution* c = still_withheld(t, *object, effect);
    if (c == nullptr) return;
    object.give_way([&t, slot = c->slot] { coordinate(t, slot_at(slot)); });
  }
}

}  // namespace

void sync_event(Thread& t, const SyncEvent& event) {
  poll(t);
  if (event.kind != Kind::kNotify && has_withheld(t)) tell_withheld(t);
  tell_calls(t);
  if (const Waiting waiting = waiting_of(event.kind); waiting != Waiting::kNobody) {
    note_wait(t, waiting);
  }
  if (publishes(event)) point(t);
  if (is_operation(event.kind)) count_operation(t);
  const SyncEffect effect = sync_effect(event.kind, event.detail, event.depth);
  LockedObject object(t, object_of(event));
  ask_withheld(t, object, effect);
  apply(t, *object, event, effect);
}

void lock_acquired(Thread& t, std::uint64_t lock, LockMode mode, std::uint64_t place) {
  poll(t);
  SyncEvent event{Kind::kAcquire, lock, place, static_cast<std::uint8_t>(mode)};
  count_operation(t);
  LockedObject object(t, lock);
  ask_withheld(t, object, sync_effect(event.kind, event.detail));
  withhold_acquire(t, lock);
  tell_calls(t);
  if (mode == LockMode::kExclusive) {
    const bool again = object->owner == t.id;
    object->depth = again ? static_cast<std::uint16_t>(object->depth + 1) : std::uint16_t{0};
    object->owner = t.id;
    event.depth = object->depth;
  }
  apply(t, *object, event, sync_effect(event.kind, event.detail, event.depth));
  t.lost_try = false;
  if (g_log.locksets) t.held.add(lock, mode, t.contended_met);
}

namespace {

// The lock was acquired in a unit that is left out: so is this, but others come after it.
void give_up_unlogged(Thread& t, SyncObject& object) {
  object.owner = kNobody;
  set_w(t, object);
  note_published(t);
  bump_epoch(t);
}

}  // namespace

void lock_releasing(Thread& t, std::uint64_t lock, std::uint64_t place) {
  poll(t);
  const bool last = is_last_release(t, lock);
  if (last) {
    LockedObject object(t, lock);
    const bool is_free_then = object->owner == t.id && object->depth == 0;
    if (is_free_then && leave_out_before_release(t, lock)) return give_up_unlogged(t, *object);
  }
  withhold_release(t, lock);
  tell_calls(t);
  point(t);
  count_operation(t);
  LockedObject object(t, lock);
  const bool exclusive = object->owner != kNobody;
  SyncEvent event{Kind::kRelease, lock, place,
                  static_cast<std::uint8_t>(exclusive ? LockMode::kExclusive : LockMode::kShared)};
  if (exclusive) {
    event.depth = object->depth;
    if (object->depth > 0) {
      --object->depth;
    } else {
      object->owner = kNobody;
    }
  }
  const bool did_nothing = !g_log.locksets || t.held.remove(lock) == t.contended_met;
  if (t.lost_try && did_nothing) event.detail |= kBacksOff;
  apply(t, *object, event, sync_effect(event.kind, event.detail, event.depth));
  if (last && !t.withholds) end_unit_early(t, true);
}

std::uint32_t owner_of_lock(std::uint64_t lock) { return LockedObject(lock)->owner; }

void forget_object(std::uint64_t address) {
  forget_one_object(address);
  forget_one_object(address + 1);  // the other phase of a barrier
}

std::uint64_t barrier_arrival(std::uint64_t barrier, std::uint64_t participants) {
  LockedObject object(barrier);
  const std::uint64_t round = participants == 0 ? 0 : object->arrivals / participants;
  ++object->arrivals;
  return round;
}

void barrier_initialized(std::uint64_t barrier, std::uint64_t participants) {
  forget_object(barrier);
  LockedObject(barrier)->participants = participants;
}

bool barrier_round_is_full(std::uint64_t barrier) {
  LockedObject object(barrier);
  return object->participants == 0 || object->arrivals % object->participants == 0;
}

std::uint64_t barrier_participants(std::uint64_t barrier) {
  return LockedObject(barrier)->participants;
}

Farewell say_farewell(const Thread& t) {
  const std::uint32_t count = slots_in_use();
  auto* clock = static_cast<std::uint64_t*>(pool_allocate(count * sizeof(std::uint64_t)));
  for (std::uint32_t i = 0; i < count; ++i) clock[i] = clock_of(t, i);
  return {t.slot->index, epoch_of(t), t.id, t.block->position, count, clock};
}

void log_fork(Thread& parent, Thread& child, std::uint64_t place) {
  poll(parent);
  tell_calls(parent);
  point(parent);
  count_operation(parent);
  append_event(parent.block, Kind::kFork, child.id, place);
  split_units(parent);
  append_sync_marker(child.block, parent.id, parent.block->position);
  for (std::uint32_t i = 0; i < slots_in_use(); ++i) {
    if (i != child.slot->index) raise_clock(child, i, clock_of(parent, i));
  }
  raise_clock(child, parent.slot->index, epoch_of(parent));
  inherit_company(parent, child);
  note_published(parent);
  bump_epoch(parent);
}

void log_join(Thread& t, Farewell& farewell, std::uint64_t place) {
  poll(t);
  note_wait(t, waiting_of(Kind::kJoin));
  const bool known = covers(t, farewell.slot, farewell.epoch);
  if (!known) append_sync_marker(t.block, farewell.thread, farewell.position);
  for (std::uint32_t i = 0; i < farewell.count; ++i) {
    if (i != t.slot->index) raise_clock(t, i, farewell.clock[i]);
  }
  raise_clock(t, farewell.slot, farewell.epoch);
  pool_free(farewell.clock, farewell.count * sizeof(std::uint64_t));
  farewell.clock = nullptr;
  count_operation(t);
  append_event(t.block, Kind::kJoin, farewell.thread, place);
  if (g_log.units) {
    bump_epoch(t);
    split_units(t);
  } else if (!known || orders_exceed_dependences()) {
    bump_outside_regions(t);
  }
}

}  // namespace isosan::rt
