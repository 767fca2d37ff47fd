#include "runtime/ownership/sync.h"

#include "event/sync_effect.h"
#include "runtime/abi/edges.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/kept_clock.h"
#include "runtime/ownership/lone_units.h"
#include "runtime/ownership/withheld.h"
#include "runtime/ownership/words.h"
#include "runtime/platform/spin_lock.h"
#include "runtime/schedule/schedule.h"

namespace isosan::rt {
namespace {

struct SyncObject {
  std::uint64_t address = 0;
  SyncObject* next = nullptr;
  bool w_set = false;
  Contribution w;
  KeptClock w_clock;
  std::uint32_t r_count = 0;
  std::uint32_t r_capacity = 0;
  Contribution* r = nullptr;
  KeptClock r_clock;
  std::uint32_t owner = kNobody;   // locks: ThreadId of who holds it exclusively
  std::uint16_t depth = 0;         // ... and how often beyond the first time
  std::uint64_t participants = 0;  // barriers
  std::uint64_t arrivals = 0;
};

struct Bucket {
  SpinLock lock;
  SyncObject* first = nullptr;
};
constexpr std::uint64_t kBuckets = 16384;
Bucket buckets[kBuckets];

Bucket& bucket_of(std::uint64_t object) {
  return buckets[((object >> 3) * 0x9e3779b97f4a7c15u) >> (64 - 14)];
}

SyncObject& find(Bucket& bucket, std::uint64_t address) {
  for (SyncObject* at = bucket.first; at != nullptr; at = at->next) {
    if (at->address == address) return *at;
  }
  auto* object = new (pool_allocate(sizeof(SyncObject))) SyncObject;
  object->address = address;
  object->next = bucket.first;
  bucket.first = object;
  return *object;
}

void forget(std::uint64_t address) {
  Bucket& bucket = bucket_of(address);
  SpinGuard guard(bucket.lock);
  for (SyncObject** at = &bucket.first; *at != nullptr; at = &(*at)->next) {
    SyncObject* object = *at;
    if (object->address != address) continue;
    *at = object->next;
    object->w_clock.release();
    object->r_clock.release();
    pool_free(object->r, object->r_capacity * sizeof(Contribution));
    pool_free(object, sizeof(SyncObject));
    return;
  }
}

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

void take_clock(Thread& t, const KeptClock& clock) {
  for (std::uint32_t i = 0; i < clock.count; ++i) {
    if (i != t.slot->index) raise_clock(t, i, clock.entries[i]);
  }
}

bool observe_w(Thread& t, const SyncObject& object, bool moves_clock) {
  if (!object.w_set || object.w.thread == t.id) return false;
  const bool marked = come_after(t, object.w, moves_clock);
  if (moves_clock) take_clock(t, object.w_clock);
  return marked;
}

bool observe_r(Thread& t, const SyncObject& object, bool moves_clock) {
  bool marked = false;
  for (std::uint32_t i = 0; i < object.r_count; ++i)
    marked |= come_after(t, object.r[i], moves_clock);
  if (moves_clock) take_clock(t, object.r_clock);
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
  object.w_clock.clear();
  object.w_clock.join(t);
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

// With the object's bucket locked.
void apply(Thread& t, SyncObject& object, const SyncEvent& event) {
  const SyncEffect effect = sync_effect(event.kind, event.detail, event.depth);
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

// The object, locked. Who published there in a unit that is withheld and goes on is asked to tell
// it before. Who does so again and again meanwhile is not waited for: then this thread comes after
// what is told.
class Locked {
 public:
  Locked(Thread& t, std::uint64_t address, SyncEffect effect) : bucket_(bucket_of(address)) {
    bucket_.lock.lock();
    object_ = &find(bucket_, address);
    for (std::uint32_t asked = 0; g_log.leaves_out && asked < slots_in_use(); ++asked) {
      const Contribution* c = still_withheld(t, *object_, effect);
      if (c == nullptr) return;
      Slot& slot = slot_at(c->slot);
      bucket_.lock.unlock();
      coordinate(t, slot);
      bucket_.lock.lock();
      object_ = &find(bucket_, address);
    }
  }
  ~Locked() { bucket_.lock.unlock(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  SyncObject& object() { return *object_; }

 private:
  Bucket& bucket_;
  SyncObject* object_;
};

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
  const std::uint64_t object = object_of(event);
  Locked locked(t, object, sync_effect(event.kind, event.detail, event.depth));
  apply(t, locked.object(), event);
}

void lock_acquired(Thread& t, std::uint64_t lock, LockMode mode, std::uint64_t place) {
  poll(t);
  SyncEvent event{Kind::kAcquire, lock, place, static_cast<std::uint8_t>(mode)};
  count_operation(t);
  Locked locked(t, lock, sync_effect(event.kind, event.detail));
  withhold_acquire(t, lock);
  tell_calls(t);
  SyncObject& object = locked.object();
  if (mode == LockMode::kExclusive) {
    const bool again = object.owner == t.id;
    object.depth = again ? static_cast<std::uint16_t>(object.depth + 1) : std::uint16_t{0};
    object.owner = t.id;
    event.depth = object.depth;
  }
  apply(t, object, event);
  t.lost_try = false;
  if (g_log.locksets) t.held.add(lock, mode, t.contended_met);
}

void lock_releasing(Thread& t, std::uint64_t lock, std::uint64_t place) {
  poll(t);
  withhold_release(t, lock);
  tell_calls(t);
  point(t);
  count_operation(t);
  Bucket& bucket = bucket_of(lock);
  SpinGuard guard(bucket.lock);
  SyncObject& object = find(bucket, lock);
  const bool exclusive = object.owner != kNobody;
  SyncEvent event{Kind::kRelease, lock, place,
                  static_cast<std::uint8_t>(exclusive ? LockMode::kExclusive : LockMode::kShared)};
  if (exclusive) {
    event.depth = object.depth;
    if (object.depth > 0) {
      --object.depth;
    } else {
      object.owner = kNobody;
    }
  }
  const bool did_nothing = !g_log.locksets || t.held.remove(lock) == t.contended_met;
  if (t.lost_try && did_nothing) event.detail |= kBacksOff;
  apply(t, object, event);
}

std::uint32_t owner_of_lock(std::uint64_t lock) {
  Bucket& bucket = bucket_of(lock);
  SpinGuard guard(bucket.lock);
  return find(bucket, lock).owner;
}

void forget_object(std::uint64_t address) {
  forget(address);
  forget(address + 1);  // the other phase of a barrier
}

std::uint64_t barrier_arrival(std::uint64_t barrier, std::uint64_t participants) {
  Bucket& bucket = bucket_of(barrier);
  SpinGuard guard(bucket.lock);
  SyncObject& object = find(bucket, barrier);
  const std::uint64_t round = participants == 0 ? 0 : object.arrivals / participants;
  ++object.arrivals;
  return round;
}

void barrier_initialized(std::uint64_t barrier, std::uint64_t participants) {
  forget_object(barrier);
  Bucket& bucket = bucket_of(barrier);
  SpinGuard guard(bucket.lock);
  find(bucket, barrier).participants = participants;
}

bool barrier_round_is_full(std::uint64_t barrier) {
  Bucket& bucket = bucket_of(barrier);
  SpinGuard guard(bucket.lock);
  const SyncObject& object = find(bucket, barrier);
  return object.participants == 0 || object.arrivals % object.participants == 0;
}

std::uint64_t barrier_participants(std::uint64_t barrier) {
  Bucket& bucket = bucket_of(barrier);
  SpinGuard guard(bucket.lock);
  return find(bucket, barrier).participants;
}

Farewell say_farewell(const Thread& t) {
  KeptClock clock;
  clock.join(t);
  return {t.slot->index, epoch_of(t), t.id, t.block->position, clock.capacity, clock.entries};
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
