#include "analysis/singletrack/singletrack.h"

#include <algorithm>
#include <type_traits>

namespace isosan {
namespace {

constexpr SyncEffect kReads{.observes_w = true, .joins_r = true};
constexpr SyncEffect kWrites{.observes_w = true, .observes_r = true, .sets_w = true};

template <class AnyAccess>
constexpr Kind kind_of = std::is_same_v<AnyAccess, Read> ? Kind::kRead : Kind::kWrite;

constexpr bool only_reads(Kind kind) { return kind == Kind::kRead || kind == Kind::kAtomicLoad; }

Step step_of(const AccessRecord& record) {
  const ThreadId thread{record.epoch.thread()};
  return {{record.ordinal, thread, record.site, record.context}, record.kind};
}

}  // namespace

SingleTrack::Operation SingleTrack::operation(const Where& where, Kind kind, Address address,
                                              std::uint64_t size) {
  const Epoch epoch = clocks_.epoch(where.thread);
  return {{where, kind, address, size},
          {epoch, where.ordinal, where.site, where.context, blocks_.scope(where.thread), kind}};
}

// ---- accesses ----

template <class AnyAccess>
SingleTrack::Plain SingleTrack::plain(const AnyAccess& e) {
  return {{clocks_.epoch(e.where.thread), e.where.ordinal, e.where.site, e.where.context,
           blocks_.scope(e.where.thread), kind_of<AnyAccess>},
          clocks_.happens_before(e.where.thread)};
}

// The filter's fast path: true if nothing more need be done for this access to this location.
template <class AnyAccess>
[[gnu::always_inline]] inline bool SingleTrack::is_ordered(Location& x, const Plain& now) {
  constexpr bool kReads = std::is_same_v<AnyAccess, Read>;
  PlainHistory& history = x.plain;
  const Epoch epoch = now.record.epoch;
  if (kReads ? history.was_read_at(epoch) || history.was_read_shared_at(epoch)
             : history.was_written_at(epoch))
    return true;
  if (x.checked || !options_.filter) return false;
  const bool ordered = kReads ? history.read_in_order(now.record, now.clock)
                              : history.write_in_order(now.record, now.clock);
  filtered_ += ordered;
  return ordered;
}

template <class AnyAccess>
void SingleTrack::plain_access(const AnyAccess& e) {
  const Plain now = plain(e);
  bool free = true;
  memory_.visit(e.address, e.size, [&](Location& x) {
    if (is_ordered<AnyAccess>(x, now)) [[likely]]
      return;
    free = is_race_free(x, operation(e.where, kind_of<AnyAccess>, e.address, e.size)) && free;
  });
  if (!free) access(operation(e.where, kind_of<AnyAccess>, e.address, e.size));
}

void SingleTrack::on(const Read& e) { plain_access(e); }
void SingleTrack::on(const Write& e) { plain_access(e); }

// In runs as long as each access is the usual one.
template <class AnyAccess>
void SingleTrack::walk(const Walk<AnyAccess>& e) {
  AnyAccess access = e.first;
  for (std::uint64_t i = 0; i < e.count; ++i, access.address += e.stride) {
    const Plain now = plain(access);
    for (; i < e.count; ++i, access.address += e.stride) {
      Location* x = memory_.whole(access.address, access.size);
      if (x == nullptr || !is_ordered<AnyAccess>(*x, now)) break;
    }
    if (i == e.count) return;
    plain_access(access);
  }
}
template void SingleTrack::walk(const Walk<Read>& e);
template void SingleTrack::walk(const Walk<Write>& e);

void SingleTrack::on(const AtomicLoad& e) {
  if (commuting_.counts_references(e.where)) {
    clocks_.load_in_every_schedule(e.where.thread, e.address, e.order);
    return;
  }
  clocks_.load(e.where.thread, e.address, e.order);
  check_from_now_on(e);
  access(operation(e.where, Kind::kAtomicLoad, e.address, e.size));
}

void SingleTrack::on(const AtomicStore& e) {
  check_from_now_on(e);
  access(operation(e.where, Kind::kAtomicStore, e.address, e.size));
  clocks_.store(e.where.thread, e.address, e.order);
}

void SingleTrack::on(const AtomicRmw& e) {
  if (commuting_.counts_references(e.where) || commuting_.combines(e.where)) {
    semaphores_.before_publication(e.where.thread, blocks_.scope(e.where.thread), clocks_);
    clocks_.load_in_every_schedule(e.where.thread, e.address, e.order);
    clocks_.continue_release_in_every_schedule(e.where.thread, e.address, e.order);
    return;
  }
  clocks_.load(e.where.thread, e.address, e.order);
  check_from_now_on(e);
  access(operation(e.where, Kind::kAtomicRmw, e.address, e.size));
  clocks_.continue_release(e.where.thread, e.address, e.order);
}

bool SingleTrack::is_race_free(Location& x, const Operation& now) {
  if (x.checked) return false;
  if (!options_.filter) {
    check_from_now_on(x);
    return false;
  }
  const VectorClock& clock = clocks_.happens_before(now.step.where.thread);
  const bool reads = only_reads(now.step.kind);
  bool racy = false;
  const auto races = [&](const AccessRecord&) { racy = true; };
  x.plain.for_each_unordered_write(clock, races);
  if (!reads) x.plain.for_each_unordered_read(clock, races);
  if (racy) {
    check_from_now_on(x);
    return false;
  }
  ++filtered_;
  note(x.plain, now);
  return true;
}

void SingleTrack::check_from_now_on(const Access& e) {
  memory_.visit(e.address, e.size, [&](Location& x) { check_from_now_on(x); });
}

// Beginning with what the filter knows of the location.
void SingleTrack::check_from_now_on(Location& x) {
  if (x.checked) return;
  x.checked = std::make_unique<Checked>();
  Checked& all = *x.checked;
  const auto seed = [&](const AccessRecord& record, ConflictSet& set) {
    if (record.tag != 0) set.add(record, VectorClock{}, blocks_);
  };
  x.plain.for_each_read([&](const AccessRecord& read) {
    seed(read, all.reads);
    const Slot slot = order_.past(step_of(read));
    if (slot.node != NodeRef{}) all.slots.r.push_back(slot);
  });
  if (const AccessRecord* write = x.plain.last_write()) {
    seed(*write, all.writes);
    all.slots.w = order_.past(step_of(*write));
  }
  x.plain = {};
}

// [CF READ], [CF WRITE]; [XS READ], [XS WRITE]: for the bytes that are checked. An access is one
// operation, however many pieces it touches.
void SingleTrack::access(const Operation& now) {
  ++checked_accesses_;
  const bool reads = only_reads(now.step.kind);
  const SyncEffect effect = reads ? kReads : kWrites;
  const Address address = now.step.address;
  const std::uint64_t size = now.step.size;
  memory_.visit(address, size, [&](Location& x, PieceBytes bytes) {
    if (!x.checked) return;
    Operation here = now;
    here.step.address = bytes.first();
    here.step.size = bytes.count();
    check(x.checked->writes, here);
    if (!reads) check(x.checked->reads, here);
    order_.observe(x.checked->slots, effect);
  });
  place(now, EdgeReason::kData);
  const Operation later = operation(now.step.where, now.step.kind, address, size);
  memory_.visit(address, size, [&](Location& x) {
    if (!x.checked) {  // it may have been a repetition, until the checked bytes moved the thread on
      note(x.plain, later);
      return;
    }
    note(*x.checked, now);
    order_.leave(placed_, now.step, effect, x.checked->slots);
  });
}

void SingleTrack::note(PlainHistory& x, const Operation& now) {
  if (only_reads(now.step.kind)) {
    x.note_read(now.record, clocks_.happens_before(now.step.where.thread));
  } else {
    x.note_write(now.record);
  }
}

// ---- the two properties ----

// The operation stands for all in the set that it comes after.
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
  if (order_.has_moved()) gone_on(now.step.where.thread);
}

void SingleTrack::synchronize(Checked& x, const Operation& now, SyncEffect effect) {
  order_.observe(x.slots, effect);
  place(now, EdgeReason::kSynchronization);
  order_.leave(placed_, now.step, effect, x.slots);
}

// A new time: the filter must not take an access in another transaction for a repetition.
void SingleTrack::gone_on(ThreadId t) {
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
  synchronize(lock, now, effect);
  clocks_.synchronize_by_chance(e.where.thread, e.lock, effect);
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
  if (order_.has_moved()) gone_on(e.where.thread);
}

void SingleTrack::on(const ThreadEnd& e) {
  semaphores_.before_publication(e.where.thread, blocks_.scope(e.where.thread), clocks_);
  thread_over(e.where);
}

void SingleTrack::thread_over(const Where& where) {
  order_.stop({where, Kind::kThreadEnd, 0, 0});
  blocks_.thread_over(where.thread, [&](BlockId id) { block_over(id); });
}

// Arrivals of one phase commute. One that is not after those of the phase before could have been in
// that phase, in place of another thread's.
void SingleTrack::on(const BarrierArrive& e) {
  const Operation now = operation(e.where, Kind::kBarrierArrive, e.object);
  semaphores_.before_publication(e.where.thread, now.record.tag, clocks_);
  if (e.generation > 0) check(barrier(e.object, e.generation - 1).writes, now);
  Object& phase = barrier(e.object, e.generation);
  note(phase, now);
  synchronize(phase, now, sync_effect(Kind::kBarrierArrive, 0));
  clocks_.barrier_arrive(e.where.thread, e.object, e.generation);
}

void SingleTrack::on(const BarrierDepart& e) {
  const Operation now = operation(e.where, Kind::kBarrierDepart, e.object);
  const SyncEffect effect = sync_effect(Kind::kBarrierDepart, 0);
  clocks_.synchronize(e.where.thread, e.object, effect, e.generation);
  synchronize(barrier(e.object, e.generation), now, effect);
}

// Two phases of a barrier can be under way at a time (happens_before.h).
SingleTrack::Object& SingleTrack::barrier(Address address, std::uint64_t generation) {
  Object& object = objects_.at(address, 1 + generation % 2);
  if (object.generation != generation) object = Object{};
  object.generation = generation;
  return object;
}

void SingleTrack::synchronize(Kind kind, const SyncOperation& e) {
  const Operation now = operation(e.where, kind, e.object);
  const SyncEffect effect = sync_effect(kind, 0);
  if (effect.sets_w || effect.joins_r) {
    semaphores_.before_publication(e.where.thread, now.record.tag, clocks_);
  }
  synchronize(objects_.at(e.object), now, effect);
  clocks_.synchronize(e.where.thread, e.object, effect);
}

void SingleTrack::on(const SemaphorePost& e) {
  const Operation now = operation(e.where, Kind::kSemaphorePost, e.object);
  semaphores_.before_publication(e.where.thread, now.record.tag, clocks_);
  synchronize(objects_.at(e.object), now, sync_effect(Kind::kSemaphorePost, 0));
  semaphores_.post(e.where.thread, e.object, clocks_,
                   [&](const AccessRecord& wait, BlockId scope) { conflict(wait, now, scope); });
}

void SingleTrack::on(const SemaphoreWait& e) {
  Object& semaphore = objects_.at(e.object);
  const Operation now = operation(e.where, Kind::kSemaphoreWait, e.object);
  check(semaphore.writes, now);
  note(semaphore, now);
  synchronize(semaphore, now, sync_effect(Kind::kSemaphoreWait, 0));
  semaphores_.wait(e.where.thread, e.object, now.record);
}

// Conditions order nothing inside a block: who is woken is the scheduler's choice.
void SingleTrack::on(const WaitEnd& e) {
  const SyncEffect effect = sync_effect(Kind::kWaitEnd, static_cast<std::uint8_t>(e.outcome));
  if (!effect.observes_r) return;
  Object& condition = objects_.at(e.object);
  const Operation now = operation(e.where, Kind::kWaitEnd, e.object);
  check(condition.writes, now);
  note(condition, now);
  synchronize(condition, now, effect);
}

void SingleTrack::on(const Notify& e) {
  synchronize(objects_.at(e.object), operation(e.where, Kind::kNotify, e.object),
              sync_effect(Kind::kNotify, 0));
}

// ---- blocks ----

void SingleTrack::on(const Begin& e) {
  if (e.kind != RegionKind::kDeterministic) return;
  ++begun_;
  Block& block = blocks_.block(blocks_.begin(e.where, e.region));  // [CF BEGIN]
  deepest_ = std::max<std::uint64_t>(deepest_, block.depth);
  if (block.depth > 1) return;  // no new time: what a block holds, those around it hold too
  block.node = order_.begin({e.where, Kind::kBegin, e.object, 0}, e.region);
  gone_on(e.where.thread);
}

void SingleTrack::on(const End& e) {
  if (e.kind != RegionKind::kDeterministic) return;
  const ThreadId t = e.where.thread;
  if (!blocks_.has_own(t)) return;
  const bool outermost = blocks_.path(t).size() == 1;
  if (outermost) order_.end({e.where, Kind::kEnd, e.object, 0});
  blocks_.end(t, [&](BlockId id) { block_over(id); });
  if (outermost) gone_on(t);
}

void SingleTrack::block_over(BlockId id) {
  const Block& block = blocks_.block(id);
  if (block.depth == 1) order_.block_over(block.node);
}

void SingleTrack::renew(const MemoryOperation& e) {
  memory_.reset(e.address, e.size);
  clocks_.renew(e.address, e.size);
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
