// SingleTrack: the result of a deterministic block must not depend on the schedule.
//
// Model: a block with all threads forked in it is one transaction (block_tree.h). Two properties,
// for each block by itself:
//   conflict freedom (Figure 4): two conflicting operations of the block are ordered inside it, by
//     fork, join, barrier and the like (block_clocks.h), never by the order of lock acquires;
//   external serializability (Figure 5): the block could have run with no operation from outside
//     in between: no cycle in the graph of transactions (external_order.h). A block begun inside
//     another is part of that one's transaction ([XS BEGIN] asks for C(t) = OUT): its conflicts
//     with other threads of the outer block are a matter of conflict freedom.
// Conflicting: two accesses that share a byte, one writes, plain or atomic; unlock and lock of a
// lock, one of them exclusive; two waits on a semaphore, or on a condition; a try or a timed wait that
// gave up, and what decides that (lock, unlock, post, notify, publish, arrival); arrivals at two
// phases of a barrier; what a piece of a loop leaves in its thread, and another piece that reads it
// (handed_out.h). Law: without a finding for a block, every schedule of its threads ends in the same
// state (Lemma 1; Theorem 1 for several blocks). A violation is reported for every block it
// violates. The filter (section 5): plain accesses are only followed by the epochs of FastTrack as
// long as they are race-free: then their order is that of synchronization, which is checked. A
// location that turns out to be racy is checked from its last accesses on. Same verdict for every
// block. Paper: Sadowski, Freund, Flanagan, ESOP 2009. singletrack.md says where we depart.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/fasttrack/history.h"
#include "analysis/singletrack/block_clocks.h"
#include "analysis/singletrack/block_tree.h"
#include "analysis/singletrack/commuting_atomics.h"
#include "analysis/singletrack/conflict_set.h"
#include "analysis/singletrack/external_order.h"
#include "analysis/singletrack/handed_out.h"
#include "analysis/singletrack/semaphores.h"
#include "base/byte_map.h"
#include "base/object_map.h"
#include "event/analysis.h"
#include "event/finding_sink.h"
#include "event/stat.h"

namespace isosan {

class SingleTrack {
 public:
  struct Options {
    bool filter = true;              // section 5
    const Tables* tables = nullptr;  // of sites; without them, every atomic is like a volatile
  };
  using Handles =
      Events<Read, Write, AtomicLoad, AtomicStore, AtomicRmw, Fence, Acquire, Release, Fork, Join,
             ThreadEnd, Begin, End, WaitEnd, Notify, BarrierArrive, BarrierDepart, SemaphorePost,
             SemaphoreWait, OnceDone, OnceSeen, Publish, Observe, Allocate, Free>;

  explicit SingleTrack(FindingSink& out) : SingleTrack(out, Options{}) {}
  SingleTrack(FindingSink& out, Options options)
      : out_(out),
        options_(options),
        commuting_(options.tables),
        clocks_(options.filter),
        order_([this](const TransactionGraph::Cycle& found) { cycle(found); }) {}
  SingleTrack(const SingleTrack&) = delete;  // the graph calls back
  SingleTrack& operator=(const SingleTrack&) = delete;

  void on(const Read& e);
  void on(const Write& e);
  void on(const Walk<Read>& e) { walk(e); }
  void on(const Walk<Write>& e) { walk(e); }
  void on(const AtomicLoad& e);
  void on(const AtomicStore& e);
  void on(const AtomicRmw& e);
  void on(const Fence& e) { clocks_.fence(e.where.thread, e.order); }
  void on(const Acquire& e);
  void on(const Release& e);
  void on(const Fork& e);
  void on(const Join& e);
  void on(const ThreadEnd& e);
  void on(const Begin& e);
  void on(const End& e);
  void on(const WaitEnd& e);
  void on(const Notify& e);
  void on(const BarrierArrive& e);
  void on(const BarrierDepart& e);
  void on(const SemaphorePost& e);
  void on(const SemaphoreWait& e);
  void on(const OnceDone& e) { synchronize(Kind::kOnceDone, e); }
  void on(const OnceSeen& e) { synchronize(Kind::kOnceSeen, e); }
  void on(const Publish& e) { synchronize(Kind::kPublish, e); }
  void on(const Observe& e) { synchronize(Kind::kObserve, e); }
  void on(const Allocate& e);
  void on(const Free& e);

  void finish() {}
  Stats stats() const;

 private:
  // What both properties keep for a location or a synchronization object. For an object, writes
  // are its exclusive operations (unlocks, waits), reads its shared ones.
  struct Checked {
    ConflictSet reads;   // R(x, w)
    ConflictSet writes;  // W(x, w), U(m, w)
    Slots slots;
  };
  struct Location {
    PlainHistory plain;                // race-free so far ...
    std::unique_ptr<Checked> checked;  // ... or else this

    Location() = default;
    Location(Location&&) noexcept = default;
    Location& operator=(Location&&) noexcept = default;
    Location(const Location& other)
        : plain(other.plain),
          checked(other.checked ? std::make_unique<Checked>(*other.checked) : nullptr) {}
    Location& operator=(const Location& other) { return *this = Location(other); }
    ~Location() = default;
  };
  struct Object : Checked {
    std::uint64_t generation = 0;
    ConflictSet earlier;   // of a phase of a barrier: arrivals at earlier ones
    ConflictSet changes;   // what decides whether a try succeeds: locks, unlocks, posts, ...
    ConflictSet given_up;  // tries and waits that ended without what they were for
  };
  static constexpr bool only_reads(Kind kind) {
    return kind == Kind::kRead || kind == Kind::kAtomicLoad;
  }
  struct Operation {
    Step step;
    AccessRecord record;  // tag: the scope
  };

  // A plain access as the filter sees it.
  struct Plain {
    AccessRecord record;
    const VectorClock& clock;  // happens-before
  };
  template <class AnyAccess>
  Plain plain(const AnyAccess& e);
  template <class AnyAccess>
  bool is_ordered(Location& x, const Plain& now);
  template <class AnyAccess>
  void plain_access(const AnyAccess& e);
  template <class AnyAccess>
  void check_pieces(const AnyAccess& e);
  template <class AnyAccess>
  void walk(const Walk<AnyAccess>& e);
  AccessRecord record_of(const Where& where, Kind kind);  // now, in the thread's scope
  Operation operation(const Where& where, Kind kind, Address address, std::uint64_t size = 0);
  // The filter: true if this access to this location needs no further check.
  bool is_race_free(Location& x, const Operation& now);
  void note(PlainHistory& x, const Operation& now);
  void check_from_now_on(Location& x);
  void check_from_now_on(const Access& e);
  void access(const Operation& now);

  void check(const ConflictSet& before, const Operation& now);
  void note(Checked& x, const Operation& now);
  void place(const Operation& now, EdgeReason reason);
  void synchronize(Checked& x, const Operation& now, SyncEffect effect);
  void synchronize(Kind kind, const SyncOperation& e);
  void change(Object& object, const Operation& now);
  void give_up(Object& object, const Operation& now);
  void start_new_time(ThreadId t);
  void thread_over(const Where& where);
  void block_over(BlockId id);
  void renew(const MemoryOperation& e);
  Object& barrier(Address address, std::uint64_t generation);

  void conflict(const AccessRecord& before, const Operation& now, BlockId innermost);
  void conflict(const AccessRecord& before, const Operation& now, BlockId innermost,
                const std::string& why);
  void add_birth(ThreadId thread, Finding& finding) const;
  void cycle(const TransactionGraph::Cycle& cycle);

  FindingSink& out_;
  Options options_;
  CommutingAtomics commuting_;
  BlockTree blocks_;
  BlockClocks clocks_;
  Semaphores semaphores_;
  ExternalOrder order_;
  HandedOut pieces_;
  ByteMap<Location> memory_;
  ObjectMap<Object> objects_;
  absl::flat_hash_map<ThreadId, Where> births_;  // the fork of each thread, for findings
  NodeRef placed_;                               // the transaction of the current operation

  std::uint64_t begun_ = 0, deepest_ = 0, conflicts_ = 0, cycles_ = 0, filtered_ = 0,
                checked_accesses_ = 0;
};
static_assert(Analysis<SingleTrack>);

}  // namespace isosan
