// AtomSanitizer: conflict serializability (docs/semantics.md) in O(n k²), without a graph and
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
// Laws: verdict and first violating event are those of the definition. Repeats of an access
// with nothing new in between change nothing and cost two compares. An epoch that no open
// transaction reaches (ReachTable::may_be_reached) never matters again. Not here: the cycle as a
// whole. The tables know *that* (u,y) reaches (t,x), not how; a finding shows the dependence that
// closes the cycle, and its two transactions.
//
// Paper: Tunç, Dong, Pavlogiannis, "Fast Atomicity Monitoring", 2026. docs/atomsanitizer.md maps
// its symbols and says where we depart.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/atomsanitizer/reach_table.h"
#include "base/byte_map.h"
#include "base/last_accesses.h"
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
  };
  using Handles = Events<Read, Write, AtomicLoad, AtomicStore, AtomicRmw, Fence, Acquire, Release,
                         Fork, Join, ThreadStart, ThreadEnd, Begin, End, Call, Return, WaitBegin,
                         WaitEnd, Notify, BarrierArrive, BarrierDepart, SemaphorePost,
                         SemaphoreWait, OnceDone, OnceSeen, Publish, Observe, Allocate, Free>;

  AtomSanitizer(FindingSink& findings, Options options);

  void on(const Read& e) { read(Kind::kRead, e); }
  void on(const AtomicLoad& e) { read(Kind::kAtomicLoad, e); }
  void on(const Write& e) { write(Kind::kWrite, e); }
  void on(const AtomicStore& e) { write(Kind::kAtomicStore, e); }
  void on(const AtomicRmw& e) {
    write(Kind::kAtomicRmw, e);
  }  // a write comes after all a read does

  void on(const Acquire& e) { lock_operation(Kind::kAcquire, e); }
  void on(const Release& e) { lock_operation(Kind::kRelease, e); }
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

  void on(const Begin& e);
  void on(const End& e);
  void on(const Allocate& e) { renew(e); }
  void on(const Free& e) { renew(e); }

  // Events that order nothing; but a join comes after them, and a fork before.
  void on(const ThreadStart& e) { note_last(thread_of(e.where), Kind::kThreadStart, e.where); }
  void on(const ThreadEnd& e) { note_last(thread_of(e.where), Kind::kThreadEnd, e.where); }
  void on(const Fence& e) { thread_of(e.where); }
  void on(const Call& e) { thread_of(e.where); }
  void on(const Return& e) { thread_of(e.where); }
  void on(const WaitBegin& e) { thread_of(e.where); }

  void finish() {}  // an open transaction adds nothing by ending
  Stats stats() const;

 private:
  // An event as locations remember it.
  struct Mark {
    Epoch transaction;
    std::uint64_t ordinal = 0;
    SiteId site{};
    ContextId context{};
    RegionId region{};
    Kind operation{};

    std::uint32_t thread() const { return transaction.thread(); }
    bool is_none() const { return transaction == Epoch{}; }
    Where where() const { return {ordinal, ThreadId{thread()}, site, context}; }
  };
  static_assert(sizeof(Mark) == 32);
  using Location = LastAccesses<Mark>;

  struct Thread {
    Epoch transaction;        // its present number; time 0: no event yet
    std::uint32_t depth = 0;  // of nested atomic regions; 0: what comes is unary
    RegionId region{};        // of the open transaction
    Where begin;
    Mark last;                // the latest event that changed anything: what a join comes after
    std::vector<Mark> forks;  // the first event comes after these
  };

  // The acting event, for findings.
  struct Here {
    Kind operation;
    Where where;
    Address address;
    std::uint64_t size;
    EdgeReason reason;
  };

  Thread& thread_of(const Where& where) {
    const std::uint32_t thread = index(where.thread);
    if (thread >= threads_.size() || threads_[thread].transaction.time() == 0) [[unlikely]] {
      first_event(where);
    }
    return threads_[thread];
  }

  static Mark mark_of(const Thread& u, Kind operation, const Where& where) {
    return {u.transaction, where.ordinal, where.site, where.context, u.region, operation};
  }
  static void note_last(Thread& u, Kind operation, const Where& where) {
    u.last = mark_of(u, operation, where);
  }

  void read(Kind kind, const Access& e) {
    Thread& u = thread_of(e.where);
    Location* location = memory_.whole(e.address, e.size);
    if (location == nullptr) [[unlikely]]
      return read_pieces(u, kind, e);
    read_location(u, *location, kind, e);
  }

  void read_location(Thread& u, Location& location, Kind kind, const Access& e) {
    if (location.writer().transaction == u.transaction) return;
    if (location.reader().transaction == u.transaction) return;
    if (table_.may_be_reached(location.writer().transaction)) {
      depend(u, location.writer(), {kind, e.where, e.address, e.size, EdgeReason::kData});
    }
    u.last = mark_of(u, kind, e.where);
    location.set_reader(u.last);
  }

  void write(Kind kind, const Access& e) {
    Thread& u = thread_of(e.where);
    Location* location = memory_.whole(e.address, e.size);
    if (location == nullptr) [[unlikely]]
      return write_pieces(u, kind, e);
    write_location(u, *location, kind, e);
  }

  void write_location(Thread& u, Location& location, Kind kind, const Access& e) {
    if (!location.has_readers()) {
      if (location.writer().transaction == u.transaction) return;
      if (table_.may_be_reached(location.writer().transaction)) {
        depend(u, location.writer(), {kind, e.where, e.address, e.size, EdgeReason::kData});
      }
    } else {  // the readers come after the writer
      location.for_each_reader([&](const Mark& reader) {
        if (!table_.may_be_reached(reader.transaction)) return;
        depend(u, reader, {kind, e.where, e.address, e.size, EdgeReason::kData});
      });
    }
    u.last = mark_of(u, kind, e.where);
    location.set_writer(u.last);
  }

  void lock_operation(Kind kind, const LockOperation& e) {
    Thread& u = thread_of(e.where);
    const auto detail = static_cast<std::uint8_t>(e.mode);
    apply(u, kind, sync_effect(kind, detail, e.depth), e.where, e.lock, 0);
  }
  void synchronize(Kind kind, const SyncOperation& e, std::uint64_t instance = 0) {
    apply(thread_of(e.where), kind, sync_effect(kind, 0), e.where, e.object, instance);
  }

  void first_event(const Where& where);
  void make_room_for(ThreadId thread);
  void read_pieces(Thread& u, Kind kind, const Access& e);
  void write_pieces(Thread& u, Kind kind, const Access& e);
  template <class F>
  void for_each_piece(Thread& u, const Access& e, F&& f);
  void apply(Thread& u, Kind kind, SyncEffect effect, const Where& where, Address object,
             std::uint64_t instance);
  void renew(const MemoryOperation& e);
  void collect_objects();
  void next_transaction(Thread& u);
  void depend(Thread& u, const Mark& from, const Here& here);
  void report(const Thread& u, const Mark& from, const Here& here);

  FindingSink& findings_;
  const Options options_;
  ReachTable table_;
  std::vector<Thread> threads_;
  ByteMap<Location> memory_;
  ObjectMap<Location> objects_;
  std::size_t collect_at_ = 1024;  // objects
  bool number_is_fixed_ = false;   // the acting unary event has its number already
  std::uint64_t transactions_ = 0, inserted_ = 0, violations_ = 0;
};
static_assert(Analysis<AtomSanitizer>);

}  // namespace isosan
