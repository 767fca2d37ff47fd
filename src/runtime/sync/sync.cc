#include "runtime/sync/sync.h"

#include "event/sync_effect.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/words.h"
#include "runtime/sync/sync_order.h"

namespace isosan::rt {
namespace {

// An event that publishes is logged before the real operation, so its point is here. An event that
// observes had its point before the real call, and so had the end of a wait that timed out.
bool publishes(const SyncEvent& event) {
  if (event.kind == Kind::kWaitEnd) return false;
  const SyncEffect effect = sync_effect(event.kind, event.detail, event.depth);
  return event.kind == Kind::kWaitBegin || (!effect.observes_w && !effect.observes_r);
}

bool has_number(Kind kind) { return kind == Kind::kBarrierArrive || kind == Kind::kBarrierDepart; }

// Two phases of a barrier can be under way at a time. A thread that leaves one phase does not come
// after the threads that have arrived at the next. So the two phases are two objects.
std::uint64_t object_of(const SyncEvent& event) {
  return has_number(event.kind) ? event.object + event.value % 2 : event.object;
}

[[gnu::always_inline]] inline void log_event(Thread& t, const SyncEvent& event) {
  append_event(t.block, event.kind, event.object, event.place, event.detail, event.depth);
  if (has_number(event.kind)) append_number(t.block, log::Code::kExtension, event.value);
}

// After the event: an epoch ends with what others may observe.
[[gnu::always_inline]] inline void close_behind(Thread& t, const SyncEvent& event,
                                                SyncEffect effect, bool marked) {
  const bool observed = effect.observes_w || effect.observes_r;
  if (has(g_mode.also_ends_epoch, event.kind)) {
    bump_epoch(t);
  } else if (effect.sets_w || effect.joins_r) {
    if (!has(g_mode.ends_epoch, event.kind)) return;
    note_published(t);
    bump_epoch(t);
  } else if (marked || (observed && orders_exceed_dependences())) {
    bump_outside_regions(t);
  }
}

// With the object locked. True: a marker was written.
[[gnu::always_inline]] inline bool observe(Thread& t, const SyncObject& object, Kind kind,
                                           SyncEffect effect) {
  const bool moves = has(g_mode.moves_clock, kind);
  bool marked = false;
  if (effect.observes_w) marked |= observe_w(t, object, moves);
  if (effect.observes_r) marked |= observe_r(t, object, moves);
  return marked;
}

void apply(Thread& t, SyncObject& object, const SyncEvent& event, SyncEffect effect) {
  const bool marked = observe(t, object, event.kind, effect);
  const bool r_only = (effect.observes_r || effect.joins_r) && !effect.observes_w && !effect.sets_w;
  if (r_only) stand_behind_last(t, object);
  log_event(t, event);
  if (r_only) become_last(t, object);
  if (effect.sets_w) set_w(t, object);
  if (effect.joins_r) join_r(t, object);
  close_behind(t, event, effect, marked);
}

}  // namespace

void sync_event(Thread& t, const SyncEvent& event) {
  poll(t);
  call(g_mode.before_event, t);
  if (const Waiting waiting = waiting_of(event.kind); waiting != Waiting::kNone)
    call(g_mode.waits, t, waiting);
  if (publishes(event)) point(t);
  if (event.kind == Kind::kNotify || event.kind == Kind::kSemaphorePost)
    use_point(t, event.object, 1);
  if (is_operation(event.kind)) count_operation(t);
  const SyncEffect effect = sync_effect(event.kind, event.detail, event.depth);
  LockedObject object(t, object_of(event));
  apply(t, *object, event, effect);
}

namespace {

void observe_and_log_acquire(Thread& t, SyncEvent event) {
  const bool shared = mode_in(event.detail) == LockMode::kShared;
  LockedObject object(t, event.object);
  call(g_mode.before_event, t);
  if (!shared) {
    const Holder before = holder_of(*object);
    const Holder now{t.id, before.thread == t.id ? before.depth + 1 : 0};
    set_holder(*object, now);
    event.depth = static_cast<std::uint16_t>(now.depth);
  }
  const SyncEffect effect = sync_effect(event.kind, event.detail, event.depth);
  const bool marked = observe(t, *object, event.kind, effect);
  if (shared) remember_observed_w(t, *object);
  log_event(t, event);
  close_behind(t, event, effect, marked);
}

}  // namespace

void lock_acquired(Thread& t, std::uint64_t lock, LockMode mode, std::uint64_t place) {
  poll(t);
  count_operation(t);
  const SyncEvent event{Kind::kAcquire, lock, place, static_cast<std::uint8_t>(mode)};
  if (mode == LockMode::kShared && has_observed_w(t, lock)) {
    call(g_mode.before_event, t);
    log_event(t, event);
    close_behind(t, event, sync_effect(event.kind, event.detail), false);
  } else {
    observe_and_log_acquire(t, event);
  }
  t.lost_try = false;
  ++t.locks_held;
  call(g_mode.lock_acquired, t, lock, mode);
}

void gave_up(Thread& t, std::uint64_t object, std::uint64_t place) {
  constexpr auto kTimedOut = static_cast<std::uint8_t>(WaitOutcome::kTimedOut);
  sync_event(t, {Kind::kWaitEnd, object, place, kTimedOut});
}

namespace {

// Of a lock that this thread releases: the thread that holds it; nobody if the hold is shared.
Holder holder_of_own(Thread& t, std::uint64_t lock) {
  const LatelyLocked& lately = lately_locked(t, lock);
  if (lately.address == lock && lately.object != nullptr) return holder_of(*lately.object);
  return holder_of(*LockedObject(t, lock));
}

void leave_shared(Thread& t, std::uint64_t lock) {
  if (!join_r_again(t, lock)) join_r(t, *LockedObject(t, lock));
}
void leave_exclusive(Thread& t, std::uint64_t lock) {
  LockedObject object(t, lock);
  const Holder before = holder_of(*object);
  if (before.thread != t.id) object->handed_over = true;
  if (before.depth > 0) return set_holder(*object, {before.thread, before.depth - 1});
  set_holder(*object, {});
  set_w(t, *object);
}
void leave(Thread& t, std::uint64_t lock, LockMode mode) {
  mode == LockMode::kShared ? leave_shared(t, lock) : leave_exclusive(t, lock);
}

}  // namespace

void lock_releasing(Thread& t, std::uint64_t lock, std::uint64_t place) {
  poll(t);
  const Holder holder = holder_of_own(t, lock);
  const LockMode mode = holder.thread == kNobody ? LockMode::kShared : LockMode::kExclusive;
  call(g_mode.before_event, t);
  point(t);
  count_operation(t);
  SyncEvent event{Kind::kRelease, lock, place, static_cast<std::uint8_t>(mode),
                  static_cast<std::uint16_t>(holder.depth)};
  if (t.locks_held > 0) --t.locks_held;  // it may be another thread's
  const bool did_nothing = call_or(true, g_mode.lock_released, t, lock);
  if (t.lost_try && did_nothing) event.detail |= kBacksOff;
  log_event(t, event);
  call(g_mode.releases, t, lock);
  leave(t, lock, mode);
  close_behind(t, event, sync_effect(event.kind, event.detail, event.depth), false);
}

std::uint32_t owner_of_lock(std::uint64_t lock) { return holder_of(*LockedObject(lock)).thread; }
bool was_handed_over(std::uint64_t lock) { return LockedObject(lock)->handed_over; }

void forget_object(std::uint64_t address) {
  forget_one_object(address);
  forget_one_object(address + 1);  // the other phase of a barrier
}

BarrierArrival barrier_arrival(std::uint64_t barrier, std::uint64_t participants) {
  LockedObject object(barrier);
  const std::uint64_t before = object->arrivals++;
  if (participants == 0) return {};
  return {before / participants, object->arrivals % participants == 0};
}

void once_ran(Thread& t, std::uint64_t once, std::uint64_t initializer) {
  LockedObject(t, once)->initializer = initializer;
}
bool another_ran(Thread& t, std::uint64_t once, std::uint64_t initializer) {
  const std::uint64_t ran = LockedObject(t, once)->initializer;
  return ran != 0 && ran != initializer;
}

void barrier_initialized(std::uint64_t barrier, std::uint64_t participants) {
  forget_object(barrier);
  LockedObject(barrier)->participants = participants;
}

bool barrier_round_is_full(std::uint64_t barrier, std::uint64_t round) {
  LockedObject object(barrier);
  return object->arrivals >= (round + 1) * object->participants;
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

void log_thread_start(Thread& t, std::uint64_t function) {
  append_event(t.block, Kind::kThreadStart, 0, function);
  call(g_mode.started, t);
}

void log_fork(Thread& parent, Thread& child, std::uint64_t place) {
  poll(parent);
  call(g_mode.waits, parent, waiting_of(Kind::kFork));
  call(g_mode.before_event, parent);
  point(parent);
  count_operation(parent);
  call(g_mode.forks, parent);
  append_event(parent.block, Kind::kFork, child.id, place);
  append_sync_marker(child.block, parent.id, parent.block->position);
  for (std::uint32_t i = 0; i < slots_in_use(); ++i) {
    if (i != child.slot->index) raise_clock(child, i, clock_of(parent, i));
  }
  raise_clock(child, parent.slot->index, epoch_of(parent));
  note_published(parent);
  bump_epoch(parent);
  call(g_mode.forked, parent, child);
}

void log_join(Thread& t, Farewell& farewell, std::uint64_t place) {
  poll(t);
  call(g_mode.waits, t, waiting_of(Kind::kJoin));
  const bool known = covers(t, farewell.slot, farewell.epoch);
  come_after(t, {farewell.slot, farewell.thread, farewell.epoch, farewell.position}, true);
  for (std::uint32_t i = 0; i < farewell.count; ++i) {
    if (i != t.slot->index) raise_clock(t, i, farewell.clock[i]);
  }
  raise_clock(t, farewell.slot, farewell.epoch);
  pool_free(farewell.clock, farewell.count * sizeof(std::uint64_t));
  farewell.clock = nullptr;
  count_operation(t);
  append_event(t.block, Kind::kJoin, farewell.thread, place);
  if (has(g_mode.also_ends_epoch, Kind::kJoin)) {
    bump_epoch(t);
  } else if (!known || orders_exceed_dependences()) {
    bump_outside_regions(t);
  }
}

}  // namespace isosan::rt
