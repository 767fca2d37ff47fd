// Atomizer: is every region reducible? (Flanagan and Freund, "Atomizer: A dynamic atomicity checker
// for multithreaded programs", SCP 2008.)
//
// Model: each operation is a both-, right-, left- or non-mover. Lock operations are right- and
// left-movers unless nobody can contend (lock_states.h, 4.3); accesses are both-movers where a lock
// protects them, else non-movers (location.h and lockset_pairs.h, Figs. 13 and 15). A region whose
// actions leave Lipton's pattern (phases.h) has a window, whether or not another thread stepped
// into it in this run.
//
// Law: with AtomizerOptions::strict (Figs. 8 and 11), a trace without finding is serializable in
// every order that keeps each thread's own order and the locks' mutual exclusion. The default rules
// are the paper's relaxed ones: they admit more and find benign races benign.
//
// C++ beside Java: a reader-writer lock held for reading protects reads; an atomic access is one
// action, a non-mover unless a lock protects it; fork, notify-like and post-like operations are
// left-movers, join, depart and semaphore waits right-movers; notify and the condition itself are
// both-movers (a wait may wake spuriously: what counts is its mutex's release and acquire); passing
// a finished once reads what never changes again: a both-mover. An access of more than 8 bytes is
// several actions, of at most 8 bytes one. What a thread does while it is alone are both-movers, a
// region that it enters then is not judged (lone_thread.h); so is joining a thread that did nothing
// else (quiet_thread.h); nobody who waits at a barrier or for a thread's end expects to be alone
// until then, nor across the start of that thread (held_back.h). Fork, join and barriers hand
// locations and locks over as often as they like (thread_order.h). docs/atomizer.md maps the
// paper's symbols.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "analysis/atomizer/held_back.h"
#include "analysis/atomizer/location.h"
#include "analysis/atomizer/lock_states.h"
#include "analysis/atomizer/lockset_pairs.h"
#include "analysis/atomizer/lockset_table.h"
#include "analysis/atomizer/lone_thread.h"
#include "analysis/atomizer/options.h"
#include "analysis/atomizer/phases.h"
#include "analysis/atomizer/quiet_thread.h"
#include "analysis/atomizer/report.h"
#include "analysis/atomizer/thread_order.h"
#include "analysis/atomizer/witness_table.h"
#include "base/byte_map.h"
#include "event/analysis.h"
#include "event/finding_sink.h"
#include "event/stat.h"

namespace isosan {

class Atomizer {
 public:
  using Options = AtomizerOptions;
  using Handles = Events<Read, Write, AtomicLoad, AtomicStore, AtomicRmw, Acquire, Release, Fork,
                         Join, ThreadStart, ThreadEnd, Begin, End, Call, Return, WaitBegin, WaitEnd,
                         BarrierArrive, BarrierDepart, SemaphorePost, SemaphoreWait, OnceDone,
                         Publish, Observe, Allocate, Free>;

  Atomizer(FindingSink& sink, AtomizerOptions options);
  Atomizer(const Atomizer&) = delete;
  Atomizer& operator=(const Atomizer&) = delete;

  void on(const Read& e);
  void on(const Write& e);
  void on(const AtomicLoad& e);
  void on(const AtomicStore& e);
  void on(const AtomicRmw& e);
  void on(const Acquire& e);
  void on(const Release& e);
  void on(const Fork& e);
  void on(const Join& e);
  void on(const ThreadStart& e);
  void on(const ThreadEnd& e);
  void on(const Begin& e);
  void on(const End& e);
  void on(const Call& e);
  void on(const Return& e);
  void on(const WaitBegin& e);
  void on(const WaitEnd& e);
  void on(const BarrierArrive& e) {
    left(e, Kind::kBarrierArrive);
    if (hands_over_) order_.arrive(e);
  }
  void on(const BarrierDepart& e) {
    right(e, Kind::kBarrierDepart);
    if (hands_over_) order_.depart(e);
  }
  void on(const SemaphorePost& e) { left(e, Kind::kSemaphorePost); }
  void on(const SemaphoreWait& e) { right(e, Kind::kSemaphoreWait); }
  void on(const OnceDone& e) {
    if (options_.once_commits) left(e, Kind::kOnceDone);
  }
  void on(const Publish& e) { left(e, Kind::kPublish); }
  void on(const Observe& e) { right(e, Kind::kObserve); }
  void on(const Allocate& e) { renew(e); }
  void on(const Free& e) { renew(e); }
  void finish();

  Stats stats() const;  // the columns of Fig. 16, and what Figs. 17 and 18 are made of
  atomizer::Declarations& declarations() { return options_.declarations; }

 private:
  struct HeldLock {
    Address address;
    atomizer::LockIndex lock;
    LockMode mode;
    std::uint32_t depth;                               // acquired this often beside the first time
    atomizer::LocksetId any_before, exclusive_before;  // H(t, σ) when it was acquired
    std::uint64_t deeds_before;
  };
  struct ThreadState {
    std::vector<HeldLock> held;
    atomizer::LocksetId any = atomizer::kNoLocks;        // H(t, σ), in any mode
    atomizer::LocksetId exclusive = atomizer::kNoLocks;  // H(t, σ), exclusively
    atomizer::Phases phases;                             // φ(t)
    // What it did to others: accesses of what is shared and written, left- and non-movers.
    std::uint64_t deeds = 0;
    atomizer::QuietThread quiet;
    atomizer::HeldBack held_back;
    std::uint64_t told_commit = 0, told_violation = 0;  // its last window
    // Calls of assumed functions that are open: nothing inside them takes part in reduction.
    std::vector<FunctionId> assumed;
    std::uint32_t no_warn = 0;  // how many of them are no_warn: no lockset looks at accesses either
    bool seen = false;
    bool in_wait = false;
    std::optional<Address> wait_mutex;  // given up by a wait and not yet taken again
    // condition_variable_any waits under a mutex of its own: it takes that one, gives the user's
    // up, waits, and does the same backwards. A lock that is given up like this belongs to the
    // wait.
    bool acquired_last = false;              // its last lock operation
    std::optional<Address> given_up_last;    // by its last one, right after an acquire
    std::optional<Address> given_up_around;  // a wait, and not yet taken again
  };
  struct Window {  // what makes two findings the same one
    RegionId region;
    std::uint64_t commit, violation;  // sites, or addresses where a trace has no sites
    bool operator==(const Window&) const = default;
    template <class H>
    friend H AbslHashValue(H h, const Window& w) {
      return H::combine(std::move(h), w.region, w.commit, w.violation);
    }
  };

  ThreadState& state_of(ThreadId thread) {
    if (index(thread) >= threads_.size() || !threads_[index(thread)].seen) [[unlikely]]
      meet(thread);
    return threads_[index(thread)];
  }
  void meet(ThreadId thread);

  template <bool kWrite>
  void access(const Access& e, Kind kind, bool compares = false);
  template <bool kWrite>
  void atomic_access(const AtomicAccess& e, Kind kind);
  template <bool kWrite>
  void follow_look(const Access& e, ThreadState& thread);
  template <bool kWrite>
  bool location_step(atomizer::Location& location, const Where& where, Kind kind,
                     ThreadState& thread);
  template <bool kWrite>
  bool share(atomizer::Location& location, const Where& where, Kind kind, ThreadState& thread);
  template <bool kWrite>
  bool narrow(atomizer::Location& location, atomizer::PairId before, const Where& where, Kind kind,
              ThreadState& thread);
  void remember(atomizer::Location& location, atomizer::HistoryStep step, const Where& where,
                Kind kind, atomizer::LocksetId held, atomizer::PairId before);
  template <bool kWrite>
  void declared_access(const Access& e, Kind kind, ThreadState& thread);
  void race(const Access& e, Kind kind, ThreadState& thread, const atomizer::Location& location,
            std::size_t racy_granules, bool compares = false);

  void left(const SyncOperation& e, Kind kind) {
    sync(e.where, kind, e.object, atomizer::Mover::kLeft);
  }
  void right(const SyncOperation& e, Kind kind) {
    sync(e.where, kind, e.object, atomizer::Mover::kRight);
  }
  void sync(const Where& where, Kind kind, Address object, atomizer::Mover mover);
  void renew(const MemoryOperation& e);
  bool alone(ThreadId thread) const { return lone_.is(thread) && options_.lone_thread; }

  void step(ThreadState& thread, atomizer::Mover mover, const atomizer::Action& action);
  void wrong(ThreadState& thread, const atomizer::Action& action);
  auto violator() {
    return [this](const atomizer::OpenRegion& region, const atomizer::Action& action) {
      if (!excused(region, action)) go_wrong(region, action);
    };
  }
  auto teller() {
    return [this](const atomizer::OpenRegion& region, const atomizer::Action& action) {
      violate(region, action);
    };
  }
  void go_wrong(const atomizer::OpenRegion& region, const atomizer::Action& action);
  void violate(const atomizer::OpenRegion& region, const atomizer::Action& action);
  template <class Make>
  void report(const Window& window, Make&& make);
  // Nobody expects this region to be atomic across this action.
  bool excused(const atomizer::OpenRegion& region, const atomizer::Action& action) const {
    if (action.in_wait && is_split_at_waits(region.region)) return true;
    if (options_.split_at_barrier && action.operation == Kind::kBarrierDepart) return true;
    if (options_.split_at_join && action.operation == Kind::kJoin) return true;
    return options_.lone_regions && lone_.nobody_else_since(region.company);
  }
  bool is_split_at_waits(RegionId region) const;
  static std::uint64_t place_of(const atomizer::Action& action);
  bool operate(atomizer::LockIndex lock, ThreadId thread, atomizer::LocksetId others);
  void give_up(ThreadState& thread, HeldLock* held);
  static HeldLock* find_held(ThreadState& thread, Address lock);
  static constexpr std::uint8_t kRacy = 1;       // an access there was a non-mover
  static constexpr std::uint8_t kInFinding = 2;  // ... and stands in a finding
  void note_racy_site(SiteId site, std::uint8_t bit);

  FindingSink& sink_;
  AtomizerOptions options_;
  const bool hands_over_;  // both options are on
  atomizer::LocksetTable sets_;
  atomizer::LocksetPairs pairs_;
  atomizer::ThreadOrder order_;
  atomizer::LockStates locks_;
  atomizer::LoneThread lone_;
  atomizer::WitnessTable witnesses_;
  atomizer::Reporter reporter_;
  ByteMap<atomizer::Location> locations_;
  std::vector<ThreadState> threads_;  // by ThreadId

  absl::flat_hash_map<Window, std::uint64_t> again_;  // windows reported; seen how often since
  std::vector<std::uint8_t> racy_sites_;              // by SiteId: kRacy, kInFinding
  std::vector<bool> regions_entered_;                 // by RegionId
  absl::flat_hash_set<RegionId> regions_warned_;
  std::size_t most_locks_held_ = 0;
  std::uint64_t violations_ = 0;
};
static_assert(Analysis<Atomizer>);
static_assert(ByteMap<atomizer::Location>::bytes_per_piece() <= 24);  // beside interned locksets

}  // namespace isosan
