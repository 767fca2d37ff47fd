// AtomSanitizer: conflict serializability (semantics.md) in O(n k²), without a graph and
// without a clock per location.
//
// Model: each thread numbers its transactions; an Epoch (thread, number) names one. A location
// keeps the last writer and the readers since, as epochs. A dependence (t,x) -> (u,y) closes a
// cycle exactly when u's open transaction y reaches (t,x): one look into the ReachTable. Otherwise
// it is inserted there. A unary transaction has no node and mostly no number of its own: it takes
// the number of the thread's transaction before it, unless an edge from something that an open
// transaction reaches comes in; then it takes the next one. Two events of one number, outside
// regions, have the same predecessors.
//
// Where threads are many, one that no open transaction reaches loses its slot in the tables to
// another thread, and gets one again with its next event. So k is the number of threads that matter
// at a time, not of all that ever ran.
//
// Laws: verdict and first violating event are those of the definition. An epoch that no open
// transaction reaches (ReachTable::may_be_reached) never matters again. Not here: the cycle as a
// whole. The tables know *that* (u,y) reaches (t,x), not how; a finding shows the dependence that
// closes the cycle, and its two transactions.
//
// Paper: Tunç, Dong, Pavlogiannis, "Fast Atomicity Monitoring", 2026. atomsanitizer.md maps
// its symbols and says where we depart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/atomsanitizer/location.h"
#include "analysis/atomsanitizer/reach_table.h"
#include "base/byte_map.h"
#include "base/last_accesses.h"
#include "base/location_room.h"
#include "base/object_map.h"
#include "event/analysis.h"
#include "event/finding_sink.h"
#include "event/stat.h"
#include "event/sync_effect.h"

namespace isosan {

class AtomSanitizer {
 public:
  struct Options {
    bool sync_edges = true;
    LocationLimits limits = {};
    std::size_t few_slots = 64;  // with fewer threads each keeps its slot
  };
  using Handles = Events<Read, Write, AtomicLoad, AtomicStore, AtomicRmw, Fence, Acquire, Release,
                         Fork, Join, ThreadStart, ThreadEnd, Begin, End, Call, Return, WaitBegin,
                         WaitEnd, Notify, BarrierArrive, BarrierDepart, SemaphorePost,
                         SemaphoreWait, OnceDone, OnceSeen, Publish, Observe, Allocate, Free>;

  AtomSanitizer(FindingSink& findings, Options options);

  [[gnu::always_inline]] void on(const Read& e) { read(Kind::kRead, e); }
  [[gnu::always_inline]] void on(const Write& e) { write(Kind::kWrite, e); }
  void on(const AtomicLoad& e) { read(Kind::kAtomicLoad, e); }
  void on(const AtomicStore& e) { write(Kind::kAtomicStore, e); }
  void on(const AtomicRmw& e) { write(Kind::kAtomicRmw, e); }  // ordered after all that a read is

  // Several accesses in one event (event.h).
  void on(const Walk<Read>& e) { walk<false>(Kind::kRead, e); }
  void on(const Walk<Write>& e) { walk<true>(Kind::kWrite, e); }

  // Exclusive: an acquire comes after W and R, a release replaces them (sync_effect.h).
  [[gnu::always_inline]] void on(const Acquire& e) {
    if (e.mode != LockMode::kExclusive || e.depth > 0) [[unlikely]] {
      return shared_or_nested(Kind::kAcquire, copy(e));
    }
    Thread& u = thread_of(e.where);
    if (!options_.sync_edges) return;
    const Location& slots = objects_.at(e.lock);
    if (has_effect(u, slots.writer().transaction()) || slots.has_readers()) {
      depend_on(u, slots, true,
                {Kind::kAcquire, EdgeReason::kSynchronization, copy(e.where), e.lock, 0});
    }
  }
  [[gnu::always_inline]] void on(const Release& e) {
    if (e.mode != LockMode::kExclusive || e.depth > 0) [[unlikely]] {
      return shared_or_nested(Kind::kRelease, copy(e));
    }
    Thread& u = thread_of(e.where);
    if (!options_.sync_edges) return;
    objects_.at(e.lock).set_writer(mark_of(u, Kind::kRelease, e.where));
    if (objects_.size() >= collect_at_) [[unlikely]]
      collect_objects();
  }
  void on(const WaitEnd& e);
  void on(const Notify& e) { synchronize(Kind::kNotify, e); }
  void on(const BarrierArrive& e) { synchronize(Kind::kBarrierArrive, e, e.generation); }
  void on(const BarrierDepart& e) { synchronize(Kind::kBarrierDepart, e, e.generation); }
  void on(const SemaphorePost& e) { synchronize(Kind::kSemaphorePost, e); }
  void on(const SemaphoreWait& e) { synchronize(Kind::kSemaphoreWait, e); }
  void on(const OnceDone& e) { synchronize(Kind::kOnceDone, e); }
  void on(const OnceSeen& e) { synchronize(Kind::kOnceSeen, e); }
  void on(const Publish& e) { synchronize(Kind::kPublish, e); }
  void on(const Observe& e) { synchronize(Kind::kObserve, e); }
  void on(const Fork& e);
  void on(const Join& e);

  [[gnu::always_inline]] void on(const Begin& e) {
    Thread& u = thread_of(e.where);
    if (e.kind != RegionKind::kAtomic || u.depth++ > 0) return;
    next_transaction(u);
    table_.begin(u.transaction);
    u.region = index(e.region) < Mark::kRegionLimit ? e.region : kNoRegion;
    u.begin = copy(e.where);
    note_last(u, Kind::kBegin, e.where);
    ++transactions_;
  }
  [[gnu::always_inline]] void on(const End& e) {
    Thread& u = thread_of(e.where);
    if (e.kind != RegionKind::kAtomic || u.depth == 0 || --u.depth > 0) return;
    note_last(u, Kind::kEnd, e.where);
    table_.end(u.transaction.thread());
    u.region = kNoRegion;
  }
  void on(const Allocate& e) { renew(e); }
  void on(const Free& e) { renew(e); }

  // Events that order nothing by themselves; but a join comes after them, and a fork before.
  void on(const ThreadStart& e) { note_last(thread_of(e.where), Kind::kThreadStart, e.where); }
  void on(const ThreadEnd& e) { note_last(thread_of(e.where), Kind::kThreadEnd, e.where); }
  void on(const Fence& e) { thread_of(e.where); }
  void on(const Call& e) { thread_of(e.where); }
  void on(const Return& e) { thread_of(e.where); }
  void on(const WaitBegin& e) { thread_of(e.where); }

  // The events of a batch: quiet ones (quiet_events.h) directly, the others through on().
  void take(std::span<const Event> batch, std::uint64_t first_ordinal);

  // Prefetches the locations of events that come soon; changes nothing. It pays
  // only where the locations do not fit into the caches.
  static constexpr std::size_t kManyPages = 256;
  bool wants_prefetch() const { return memory_.live_pages() > kManyPages; }
  void prefetch(std::span<const Event> soon) const {
    for (const Event& e : soon) __builtin_prefetch(&memory_.nearby(e.address), 1);
  }

  void between_batches();
  void finish() {}  // an open transaction adds nothing by ending
  Stats stats() const;

 private:
  class Quiet;  // handles the most frequent events (quiet_events.h)
  using Mark = atomsanitizer::Mark;
  using Location = atomsanitizer::Location;

  struct alignas(64) Thread {
    Epoch transaction;                    // its slot and present number; time 0: it has no slot
    ReachTable::Number* known = nullptr;  // its row of the table (has_effect)
    std::uint64_t flag = 0;               // Location::flag_of
    std::uint64_t only_flag = 0;          // the same, if no other thread has it
    std::uint32_t depth = 0;              // of nested atomic regions; 0: the next event is unary
    RegionId region{};                    // of the open transaction
    Where begin;                          // likewise
    Mark last;  // what a join shows: the latest event that is no access or lock operation
    std::vector<Mark> forks;  // the first event comes after these
  };

  // The current event, as the slow paths and findings need it.
  struct Here {
    Kind operation;
    EdgeReason reason;
    Where where;
    Address address;
    std::uint64_t size;
  };
  // Member by member: copying the struct as a whole would force it into memory on the fast path.
  [[gnu::always_inline]] static Where copy(const Where& w) {
    return {w.ordinal, w.thread, w.site, w.context};
  }
  [[gnu::always_inline]] static LockOperation copy(const LockOperation& e) {
    return {copy(e.where), e.lock, e.mode, e.depth};
  }
  [[gnu::always_inline]] static Here here(Kind operation, const Access& e) {
    return {operation, EdgeReason::kData, copy(e.where), e.address, e.size};
  }

  [[gnu::always_inline]] Thread& thread_of(const Where& where) {
    const std::uint32_t thread = index(where.thread);
    if (thread >= threads_.size() || threads_[thread].transaction == Epoch{}) [[unlikely]] {
      first_event(copy(where));
    }
    return threads_[thread];
  }

  [[gnu::always_inline]] bool has_effect(const Thread& u, Epoch from) const {
    return table_.has_effect(from, u.known);
  }
  // Not inlined: the fast path has no registers to spare.
  [[gnu::noinline]] bool readers_have_effect(const Thread& u, const Location& location) const;
  [[gnu::always_inline]] static Mark mark_of(const Thread& u, Kind operation, const Where& where) {
    return {u.transaction, u.region, operation, where};
  }
  [[gnu::always_inline]] static void next_transaction(Thread& u) {
    ISOSAN_CHECK(u.transaction.time() < Epoch::kMaxTime);
    u.transaction = Epoch(u.transaction.thread(), u.transaction.time() + 1);
  }
  [[gnu::always_inline]] static void note_last(Thread& u, Kind operation, const Where& where) {
    u.last = mark_of(u, operation, where);
  }

  // A repeated event is recorded again: detecting the repetition would
  // cost more.
  [[gnu::always_inline]] void read(Kind kind, const Access& e) {
    Thread& u = thread_of(e.where);
    Location* location = memory_.whole(e.address, e.size);
    if (location == nullptr) [[unlikely]]
      return access_pieces<false>(u, here(kind, e));
    if (!is_quiet_read(u, *location, mark_of(u, kind, e.where))) [[unlikely]]
      access_location(u, *location, false, here(kind, e));
  }

  [[gnu::always_inline]] void write(Kind kind, const Access& e) {
    Thread& u = thread_of(e.where);
    Location* location = memory_.whole(e.address, e.size);
    if (location == nullptr) [[unlikely]]
      return access_pieces<true>(u, here(kind, e));
    if (!is_quiet_write(u, *location, mark_of(u, kind, e.where))) [[unlikely]]
      access_location(u, *location, true, here(kind, e));
  }

  // The fast paths: record a read or write that no dependence with an effect leads to. False:
  // one does, and nothing was recorded.
  [[gnu::always_inline]] bool is_quiet_read(Thread& u, Location& location, const Mark& mark) {
    return !has_effect(u, location.writer().transaction()) && location.replace_reader(mark);
  }
  [[gnu::always_inline]] bool is_quiet_write(Thread& u, Location& location, const Mark& mark) {
    if (has_effect(u, location.writer().transaction()) ||
        (location.has_readers_among(~u.only_flag) && readers_have_effect(u, location)))
        [[unlikely]] {
      return false;
    }
    location.set_writer(mark);
    return true;
  }
  // For every location of one event, once the event's number is final.
  template <bool kWrites>
  [[gnu::always_inline]] auto touch(Thread& u, const Here& here) {
    return [this, &u, &here, mark = mark_of(u, here.operation, here.where)](Location& location) {
      if (!(kWrites ? is_quiet_write(u, location, mark) : is_quiet_read(u, location, mark)))
          [[unlikely]] {
        access_location(u, location, kWrites, here);
      }
    };
  }

  void synchronize(Kind kind, const SyncOperation& e, std::uint64_t instance = 0) {
    apply(kind, sync_effect(kind, 0), e.where, e.object, instance);
  }

  void first_event(Where where);
  [[gnu::noinline]] void make_room_for(ThreadId thread);
  ReachTable::Slot slot_for(ThreadId thread);
  void collect_slots();
  void refer_to_slots();
  Where where_of(const Mark& mark) const;
  void access_location(Thread& u, Location& location, bool writes, Here here);
  template <bool kWrites>
  void access_pieces(Thread& u, Here here);
  template <bool kWrites, class AnyAccess>
  void walk(Kind kind, const Walk<AnyAccess>& e);
  void apply(Kind kind, SyncEffect effect, Where where, Address object, std::uint64_t instance);
  void shared_or_nested(Kind kind, LockOperation e);
  void renew(const MemoryOperation& e);
  template <class F>
  void visit(Address address, std::uint64_t size, F&& f);
  bool matters(const Location& location) const;
  void collect_objects();
  void depend(Thread& u, const Mark& from, const Here& here);
  void depend_on(Thread& u, const Location& location, bool readers_too, Here here);
  void report(const Thread& u, const Mark& from, const Here& here);

  FindingSink& findings_;
  const Options options_;
  ReachTable table_;
  std::vector<Thread> threads_;  // by ThreadId
  struct Slot {
    ThreadId thread{};             // that has it
    ReachTable::Number taken = 0;  // up to here the numbers belong to threads that had it before
  };
  std::vector<Slot> slots_;
  std::vector<ReachTable::Slot> free_slots_;
  std::size_t collect_slots_at_;  // slots
  ByteMap<Location> memory_;
  LocationRoom room_;
  ObjectMap<Location> objects_;
  Mark nowhere_;                   // written in place of a mark that is not needed
  std::size_t collect_at_ = 1024;  // objects
  bool number_is_fixed_ = false;   // the current unary event has its number already
  std::uint64_t transactions_ = 0, inserted_ = 0, violations_ = 0;
};
static_assert(Analysis<AtomSanitizer>);

}  // namespace isosan
