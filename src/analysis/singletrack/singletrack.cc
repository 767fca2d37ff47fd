#include "analysis/singletrack/singletrack.h"

#include <algorithm>

namespace isosan {

SingleTrack::Operation SingleTrack::operation(const Where& where, Kind kind, Address address,
                                              std::uint64_t size) {
  return {{where, kind, address, size}, record_of(where, kind)};
}

AccessRecord SingleTrack::record_of(const Where& where, Kind kind) {
  return {clocks_.epoch(where.thread), where.ordinal, where.site, where.context,
          blocks_.scope(where.thread), kind};
}

// ---- the two properties ----

// The operation replaces all in the set that it comes after.
void SingleTrack::note(Checked& x, const Operation& now) {
  if (now.record.tag == 0) return;  // [CF OUTSIDE]
  const VectorClock& clock = clocks_.inside(now.step.where.thread);
  if (only_reads(now.record.kind)) {
    x.reads.add(now.record, clock, blocks_);
    return;
  }
  x.reads.forget_before(now.record, clock, blocks_);
  x.writes.add(now.record, clock, blocks_);
}

void SingleTrack::check(const ConflictSet& before, const Operation& now) {
  if (now.record.tag == 0) return;  // [CF OUTSIDE]
  const ThreadId t = now.step.where.thread;
  const VectorClock& clock = clocks_.inside(t);
  for (const AccessRecord& record : before) {
    if (clock.covers(record.epoch)) continue;
    const BlockId common = blocks_.common(record.tag, now.record.tag);
    if (common == 0 || semaphores_.covers(t, record.epoch, common)) continue;
    conflict(record, now, common);
  }
}

void SingleTrack::place(const Operation& now, EdgeReason reason) {
  placed_ = order_.place(now.step, reason);
  if (order_.has_moved()) start_new_time(now.step.where.thread);
}

void SingleTrack::synchronize(Checked& x, const Operation& now, SyncEffect effect) {
  order_.observe(x.slots, effect);
  place(now, EdgeReason::kSynchronization);
  order_.leave(placed_, now.step, effect, x.slots);
}

// Advances the thread's time: the filter must not take an access in a new transaction for a
// repetition.
void SingleTrack::start_new_time(ThreadId t) {
  if (options_.filter) clocks_.step(t);
}

// ---- locks: the scheduler's choice ----

void SingleTrack::on(const Acquire& e) {
  const SyncEffect effect = sync_effect(Kind::kAcquire, static_cast<std::uint8_t>(e.mode), e.depth);
  if (!effect.observes_w) return;
  Object& lock = objects_.at(e.lock);
  const Operation now = operation(e.where, Kind::kAcquire, e.lock);
  check(lock.writes, now);  // [CF ACQUIRE]
  if (effect.observes_r) check(lock.reads, now);
  change(lock, now);
  clocks_.synchronize_by_chance(e.where.thread, e.lock, effect);
  synchronize(lock, now, effect);
}

void SingleTrack::on(const Release& e) {
  const SyncEffect effect = sync_effect(Kind::kRelease, static_cast<std::uint8_t>(e.mode), e.depth);
  if (!effect.sets_w && !effect.joins_r) return;
  Object& lock = objects_.at(e.lock);
  const Operation now = operation(e.where, Kind::kRelease, e.lock);
  if (now.record.tag != 0) {  // [CF RELEASE]
    const VectorClock& clock = clocks_.inside(e.where.thread);
    (effect.sets_w ? lock.writes : lock.reads).add(now.record, clock, blocks_);
    if (effect.sets_w) lock.reads.forget_before(now.record, clock, blocks_);
  }
  change(lock, now);
  synchronize(lock, now, effect);
  clocks_.synchronize_by_chance(e.where.thread, e.lock, effect);
}

// ---- what gave up: a try, a timed wait ----

// Whether it gives up is decided by the order of the two.
void SingleTrack::change(Object& object, const Operation& now) {
  check(object.given_up, now);
  if (now.record.tag == 0) return;  // [CF OUTSIDE]
  object.changes.add(now.record, clocks_.inside(now.step.where.thread), blocks_);
}

void SingleTrack::give_up(Object& object, const Operation& now) {
  check(object.changes, now);
  if (now.record.tag == 0) return;  // [CF OUTSIDE]
  object.given_up.add(now.record, clocks_.inside(now.step.where.thread), blocks_);
}

// ---- the same in every schedule: fork, join, barriers, once, publish, semaphores ----

void SingleTrack::on(const Fork& e) {
  const Step step{e.where, Kind::kFork, index(e.other), 0};
  births_[e.other] = e.where;
  semaphores_.before_publication(e.where.thread, blocks_.scope(e.where.thread), clocks_);
  clocks_.fork(e.where.thread, e.other);
  blocks_.fork(e.where.thread, e.other);  // [CF FORK]
  order_.fork(step, e.other);
}

void SingleTrack::on(const Join& e) {
  const Step step{e.where, Kind::kJoin, index(e.other), 0};
  semaphores_.before_publication(e.other, blocks_.scope(e.other), clocks_);
  thread_over({e.where.ordinal, e.other, kNoSite, kEmptyStack});
  clocks_.join(e.where.thread, e.other);  // [CF JOIN]
  order_.join(step, e.other);
  if (order_.has_moved()) start_new_time(e.where.thread);
}

void SingleTrack::on(const ThreadEnd& e) {
  semaphores_.before_publication(e.where.thread, blocks_.scope(e.where.thread), clocks_);
  thread_over(e.where);
}

void SingleTrack::thread_over(const Where& where) {
  order_.stop({where, Kind::kThreadEnd, 0, 0});
  blocks_.thread_over(where.thread, [&](BlockId id) { block_over(id); });
}

// Arrivals of one phase commute. An arrival not ordered after those of an earlier phase could have
// been in that phase, in place of another thread's.
void SingleTrack::on(const BarrierArrive& e) {
  const Operation now = operation(e.where, Kind::kBarrierArrive, e.object);
  semaphores_.before_publication(e.where.thread, now.record.tag, clocks_);
  change(objects_.at(e.object), now);
  Object& phase = barrier(e.object, e.generation);
  check(phase.earlier, now);
  note(phase, now);
  synchronize(phase, now, sync_effect(Kind::kBarrierArrive, 0));
  clocks_.barrier_arrive(e.where.thread, e.object, e.generation);
}

void SingleTrack::on(const BarrierDepart& e) {
  const Operation now = operation(e.where, Kind::kBarrierDepart, e.object);
  const SyncEffect effect = sync_effect(Kind::kBarrierDepart, 0);
  clocks_.barrier_depart(e.where.thread, e.object, e.generation);
  synchronize(barrier(e.object, e.generation), now, effect);
}

// Two phases of a barrier can be under way at a time (happens_before.h). A phase begins with the
// arrivals at earlier ones.
SingleTrack::Object& SingleTrack::barrier(Address address, std::uint64_t generation) {
  const std::uint64_t instance = 1 + generation % 2;
  if (Object& known = objects_.at(address, instance); known.generation == generation) return known;
  ConflictSet earlier;
  const Object& last = objects_.at(address, 3 - instance);
  if (last.generation + 1 == generation) earlier = last.writes;
  Object& object = objects_.at(address, instance);
  object = Object{};
  object.generation = generation;
  object.writes = earlier;
  object.earlier = std::move(earlier);
  return object;
}

void SingleTrack::synchronize(Kind kind, const SyncOperation& e) {
  const Operation now = operation(e.where, kind, e.object);
  const SyncEffect effect = sync_effect(kind, 0);
  if (effect.sets_w || effect.joins_r) {
    semaphores_.before_publication(e.where.thread, now.record.tag, clocks_);
    change(objects_.at(e.object), now);
  }
  synchronize(objects_.at(e.object), now, effect);
  clocks_.synchronize(e.where.thread, e.object, effect);
}

void SingleTrack::on(const SemaphorePost& e) {
  const Operation now = operation(e.where, Kind::kSemaphorePost, e.object);
  semaphores_.before_publication(e.where.thread, now.record.tag, clocks_);
  Object& semaphore = objects_.at(e.object);
  change(semaphore, now);
  synchronize(semaphore, now, sync_effect(Kind::kSemaphorePost, 0));
  semaphores_.post(e.where.thread, e.object, clocks_,
                   [&](const AccessRecord& wait, BlockId scope) { conflict(wait, now, scope); });
}

void SingleTrack::on(const SemaphoreWait& e) {
  Object& semaphore = objects_.at(e.object);
  const Operation now = operation(e.where, Kind::kSemaphoreWait, e.object);
  check(semaphore.writes, now);
  note(semaphore, now);
  change(semaphore, now);
  synchronize(semaphore, now, sync_effect(Kind::kSemaphoreWait, 0));
  semaphores_.wait(e.where.thread, e.object, now.record);
}

// Conditions order nothing inside a block: which waiter wakes is the scheduler's choice.
void SingleTrack::on(const WaitEnd& e) {
  const SyncEffect effect = sync_effect(Kind::kWaitEnd, static_cast<std::uint8_t>(e.outcome));
  Object& condition = objects_.at(e.object);
  const Operation now = operation(e.where, Kind::kWaitEnd, e.object);
  if (!effect.observes_r) return give_up(condition, now);
  check(condition.writes, now);
  note(condition, now);
  synchronize(condition, now, effect);
}

void SingleTrack::on(const Notify& e) {
  Object& condition = objects_.at(e.object);
  const Operation now = operation(e.where, Kind::kNotify, e.object);
  change(condition, now);
  synchronize(condition, now, sync_effect(Kind::kNotify, 0));
}

// ---- blocks ----

void SingleTrack::on(const Begin& e) {
  if (e.kind != RegionKind::kDeterministic) return;
  ++begun_;
  Block& block = blocks_.block(blocks_.begin(e.where, e.region));  // [CF BEGIN]
  deepest_ = std::max<std::uint64_t>(deepest_, block.depth);
  if (block.depth > 1) return;  // no new time: enclosing blocks hold the same operations
  block.node = order_.begin({e.where, Kind::kBegin, e.object, 0}, e.region);
  start_new_time(e.where.thread);
}

void SingleTrack::on(const End& e) {
  if (e.kind != RegionKind::kDeterministic) return;
  const ThreadId t = e.where.thread;
  if (!blocks_.has_own(t)) return;
  const bool outermost = blocks_.path(t).size() == 1;
  if (outermost) order_.end({e.where, Kind::kEnd, e.object, 0});
  blocks_.end(t, [&](BlockId id) { block_over(id); });
  if (outermost) start_new_time(t);
}

void SingleTrack::block_over(BlockId id) {
  const Block& block = blocks_.block(id);
  if (block.depth == 1) order_.block_over(block.node);
}

void SingleTrack::renew(const MemoryOperation& e) {
  memory_.reset(e.address, e.size);
  pieces_.renew(e.address, e.size);
  clocks_.renew(e.address, e.size);
}

// The thread gets a piece of a loop: what it does is no repetition of what it did in the one before.
void SingleTrack::on(const Allocate& e) {
  if (!HandedOut::is_edge(e)) return renew(e);
  pieces_.take(e.where.thread, e.address);
  start_new_time(e.where.thread);
}

void SingleTrack::on(const Free& e) {
  if (!HandedOut::is_edge(e)) return renew(e);
  pieces_.ends_own_stack(e.where.thread, e.address);
}

Stats SingleTrack::stats() const {
  return {{"blocks", begun_},
          {"depth", deepest_},
          {"conflicts", conflicts_},
          {"cycles", cycles_},
          {"accesses_filtered", filtered_},
          {"accesses_checked", checked_accesses_},
          {"most_live_nodes", order_.most_live_nodes()},
          {"pages", memory_.live_pages()}};
}

}  // namespace isosan
