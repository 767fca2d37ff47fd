// AeroDrome: conflict serializability (semantics.md) by vector clocks, in time linear in the
// trace.
//
// Model: every transaction has a vector clock (transaction.h). A dependence T -> U, with U the
// transaction that acts now, closes a cycle exactly when T's clock covers U: U reaches T. Otherwise
// U's clock joins T's. What an open transaction learns is passed on at once to the other open ones
// that it reaches, and to finished ones when it ends or when they are next used. So the cycle is
// found at the very event that closes it. Locations and synchronization objects do not have clocks
// of their own: they refer to the transaction that accessed them last. A dead reference can cause
// no cycle. A unary transaction is part of the thread's transaction before it, unless it learns
// something new.
//
// Not here: the cycle as a whole; a finding shows the dependence that closes it, and its two
// transactions.
//
// Paper: Mathur, Viswanathan, "Atomicity Checking in Linear Time using Vector Clocks", ASPLOS 2020.
// aerodrome.md maps its symbols and says where we depart.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/aerodrome/transaction.h"
#include "base/byte_map.h"
#include "base/last_accesses.h"
#include "base/location_room.h"
#include "base/object_map.h"
#include "event/analysis.h"
#include "event/finding_sink.h"
#include "event/stat.h"
#include "event/sync_effect.h"

namespace isosan {

class Aerodrome {
 public:
  struct Options {
    bool sync_edges = true;
    LocationLimits limits = {};
  };
  using Handles = Events<Read, Write, AtomicLoad, AtomicStore, AtomicRmw, Fence, Acquire, Release,
                         Fork, Join, ThreadStart, ThreadEnd, Begin, End, Call, Return, WaitBegin,
                         WaitEnd, Notify, BarrierArrive, BarrierDepart, SemaphorePost,
                         SemaphoreWait, OnceDone, OnceSeen, Publish, Observe, Allocate, Free>;

  Aerodrome(FindingSink& findings, Options options);

  [[gnu::always_inline]] void on(const Read& e) { read(Kind::kRead, e); }
  void on(const AtomicLoad& e) { read(Kind::kAtomicLoad, e); }
  [[gnu::always_inline]] void on(const Write& e) { write(Kind::kWrite, e); }
  void on(const AtomicStore& e) { write(Kind::kAtomicStore, e); }
  void on(const AtomicRmw& e) {
    write(Kind::kAtomicRmw, e);
  }  // a write comes after all that a read comes after

  [[gnu::always_inline]] void on(const Acquire& e) { lock_operation(Kind::kAcquire, e); }
  [[gnu::always_inline]] void on(const Release& e) { lock_operation(Kind::kRelease, e); }
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

  // Events that order nothing by themselves; but a join comes after them, and a fork before.
  void on(const ThreadStart& e) { thread_of(e.where); }
  void on(const ThreadEnd& e) { note_last(thread_of(e.where), Kind::kThreadEnd, e.where); }
  void on(const Fence& e) { thread_of(e.where); }
  void on(const Call& e) { thread_of(e.where); }
  void on(const Return& e) { thread_of(e.where); }
  void on(const WaitBegin& e) { thread_of(e.where); }

  void between_batches();
  void finish() {}  // an open transaction adds nothing by ending
  Stats stats() const;

 private:
  using Transaction = aerodrome::Transaction;
  using Ref = aerodrome::Ref;

  // An event as locations keep it.
  struct Mark {
    Ref transaction;
    std::uint64_t ordinal = 0;
    ThreadId thread_id{};
    SiteId site{};
    ContextId context{};
    Kind operation{};

    std::uint32_t thread() const { return index(thread_id); }
    bool is_none() const { return transaction.is_none(); }
    Where where() const { return {ordinal, thread_id, site, context}; }
  };
  using Location = LastAccesses<Mark>;

  struct Thread {
    Ref current;               // the open transaction, or the one that unary events belong to
    std::uint64_t number = 0;  // of the latest transaction
    std::uint32_t depth = 0;   // of nested atomic regions; 0: the next event is unary
    bool started = false;      // has had an event
    Kind last_operation{};     // what a join shows: the latest event that is no access
    Where last;
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
  [[gnu::always_inline]] static Here here(Kind operation, const Access& e) {
    return {operation, EdgeReason::kData, copy(e.where), e.address, e.size};
  }

  [[gnu::always_inline]] Thread& thread_of(const Where& where) {
    const std::uint32_t thread = index(where.thread);
    if (thread >= threads_.size() || !threads_[thread].started) [[unlikely]] {
      first_event(copy(where));
    }
    return threads_[thread];
  }

  static Mark mark_of(const Thread& u, Kind operation, const Where& where) {
    return {u.current, where.ordinal, where.thread, where.site, where.context, operation};
  }
  static void note_last(Thread& u, Kind operation, const Where& where) {
    u.last = where;
    u.last_operation = operation;
  }

  [[gnu::always_inline]] void read(Kind kind, const Access& e) {
    Thread& u = thread_of(e.where);
    Location* location = memory_.whole(e.address, e.size);
    if (location == nullptr) [[unlikely]]
      return read_pieces(u, here(kind, e));
    if (location->writer().transaction.same_as(u.current)) return;
    if (location->has_readers() && location->reader().transaction.same_as(u.current)) return;
    if (location->writer().transaction.alive()) come_after(u, location->writer(), here(kind, e));
    record_read(u, *location, kind, e.where);
  }
  [[gnu::always_inline]] void write(Kind kind, const Access& e) {
    Thread& u = thread_of(e.where);
    Location* location = memory_.whole(e.address, e.size);
    if (location == nullptr) [[unlikely]]
      return write_pieces(u, here(kind, e));
    if (location->has_readers()) {
      come_after_all(u, *location, here(kind, e));
    } else {
      if (location->writer().transaction.same_as(u.current)) return;
      if (location->writer().transaction.alive()) come_after(u, location->writer(), here(kind, e));
    }
    record_write(u, *location, kind, e.where);
  }

  // A dead transaction is not recorded.
  void record_read(const Thread& u, Location& location, Kind kind, const Where& where) {
    if (u.current.alive()) location.set_reader(mark_of(u, kind, where));
  }
  void record_write(const Thread& u, Location& location, Kind kind, const Where& where) {
    location.set_writer(u.current.alive() ? mark_of(u, kind, where) : Mark{});
  }

  void lock_operation(Kind kind, const LockOperation& e) {
    Thread& u = thread_of(e.where);
    const auto detail = static_cast<std::uint8_t>(e.mode);
    apply(u, kind, sync_effect(kind, detail, e.depth), e.where, e.lock, 0);
  }
  void synchronize(Kind kind, const SyncOperation& e, std::uint64_t instance = 0) {
    apply(thread_of(e.where), kind, sync_effect(kind, 0), e.where, e.object, instance);
  }

  void first_event(Where where);
  void make_room_for(ThreadId thread);
  void read_pieces(Thread& u, Here here);
  void write_pieces(Thread& u, Here here);
  void apply(Thread& u, Kind kind, SyncEffect effect, const Where& where, Address object,
             std::uint64_t instance);
  void renew(const MemoryOperation& e);
  template <class F>
  void visit(Address address, std::uint64_t size, F&& f);
  static bool matters(const Location& location);
  void collect_objects();

  Transaction& next_transaction(Thread& u, const Where& begin);
  void come_after(Thread& u, const Mark& from, const Here& here);
  void come_after_all(Thread& u, const Location& location, const Here& here);
  void absorb(Transaction& to, const Transaction& from);
  void come_after_open(Transaction& to, const ThreadSet& open);
  void come_after_open(Transaction& to, std::uint32_t thread);
  void bring_up_to_date(Transaction& finished);
  void hand_over(Transaction& ended);
  void report(const Thread& u, const Mark& from, const Here& here);

  FindingSink& findings_;
  const Options options_;
  aerodrome::TransactionPool pool_;  // declared first: outlives all references
  std::vector<Thread> threads_;
  std::vector<Transaction*> open_;  // by thread; nullptr: none
  ByteMap<Location> memory_;
  LocationRoom room_;
  ObjectMap<Location> objects_;
  std::size_t collect_at_ = 1024;  // objects
  std::uint64_t transactions_ = 0, joins_ = 0, violations_ = 0;
};
static_assert(Analysis<Aerodrome>);

}  // namespace isosan
