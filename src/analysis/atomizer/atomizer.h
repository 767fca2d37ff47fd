// Atomizer: is every region reducible? (Flanagan and Freund, "Atomizer: A dynamic atomicity checker
// for multithreaded programs", SCP 2008.)
//
// Model: each operation is a both-, right-, left- or non-mover. Lock operations are right- and
// left-movers unless no other thread can contend (lock_states.h, 4.3); accesses are both-movers
// where a lock protects them, else non-movers (location.h and lockset_pairs.h, Figs. 13 and 15). A
// region whose actions leave Lipton's pattern (phases.h) has a window, whether or not another
// thread stepped into it in this run.
//
// Law: with AtomizerOptions::strict (Figs. 8 and 11), a trace without finding is serializable in
// every order that keeps each thread's own order and the locks' mutual exclusion. The default rules
// are the paper's relaxed ones: they admit more and find benign races benign.
//
// C++ beside Java:
//  - A reader-writer lock held for reading protects reads.
//  - An atomic access is one action, a non-mover unless a lock protects it.
//  - Fork, notify-like and post-like operations are left-movers; join, depart and semaphore waits
//    are right-movers. Notify and the condition itself are both-movers: a wait may wake spuriously,
//    so only the release and acquire of its mutex count.
//  - Passing a finished once reads a value that no longer changes: a both-mover.
//  - An access of at most 8 bytes is one action, a wider one several.
// Ours:
//  - The operations of a thread that is alone are both-movers, and a region that it enters then is
//    not judged (live_threads.h).
//  - Joining a thread that did only both-movers is a both-mover (quiet_thread.h).
//  - A barrier, a join of any other thread, and the fork of a thread that the region joins cut a
//    region in two (deferred_windows.h).
//  - Fork, join and barriers hand over locations and locks any number of times (thread_order.h).
//    Without these, a hand-over needs another order in this run; a second thread that could have
//    run beside the first shares what they use.
//  - A window at a lock that was one thread's own is reported once another one uses the lock
//    (late_windows.h), and one at such data, once another one uses it beside (late_data.h).
// atomizer.md maps the paper's symbols.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "analysis/atomizer/deferred_windows.h"
#include "analysis/atomizer/late_data.h"
#include "analysis/atomizer/late_windows.h"
#include "analysis/atomizer/live_threads.h"
#include "analysis/atomizer/location.h"
#include "analysis/atomizer/lock_states.h"
#include "analysis/atomizer/lockset_pairs.h"
#include "analysis/atomizer/lockset_table.h"
#include "analysis/atomizer/options.h"
#include "analysis/atomizer/phases.h"
#include "analysis/atomizer/quiet_thread.h"
#include "analysis/atomizer/report.h"
#include "analysis/atomizer/thread_order.h"
#include "analysis/atomizer/witness_table.h"
#include "base/byte_map.h"
#include "event/analysis.h"
#include "event/finding_sink.h"
#include "event/program_points.h"
#include "event/stat.h"

namespace isosan {

class Atomizer {
 public:
  using Options = AtomizerOptions;
  using Handles = Events<Read, Write, AtomicLoad, AtomicStore, AtomicRmw, Acquire, Release, Fork,
                         Join, ThreadStart, ThreadEnd, Begin, End, Call, Return, WaitBegin, WaitEnd,
                         BarrierArrive, BarrierDepart, SemaphorePost, SemaphoreWait, OnceDone,
                         OnceSeen, Publish, Observe, Allocate, Free>;

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
  void on(const SemaphorePost& e) {
    left(e, Kind::kSemaphorePost);
    leave(e);
  }
  void on(const SemaphoreWait& e) {
    right(e, Kind::kSemaphoreWait);
    come(e);
  }
  void on(const OnceDone& e) {
    if (options_.once_commits) left(e, Kind::kOnceDone);
    leave(e);
  }
  void on(const OnceSeen& e) { come(e); }
  void on(const Publish& e) {
    left(e, Kind::kPublish);
    leave(e);
  }
  void on(const Observe& e) {
    right(e, Kind::kObserve);
    come(e);
  }
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
    std::uint32_t depth;                               // re-entrant acquires on top of the first
    atomizer::LocksetId any_before, exclusive_before;  // H(t, σ) when it was acquired
    std::uint64_t effects_before;
  };
  struct ThreadState {
    std::vector<HeldLock> held;
    atomizer::LocksetId any = atomizer::kNoLocks;        // H(t, σ), in any mode
    atomizer::LocksetId exclusive = atomizer::kNoLocks;  // H(t, σ), exclusively
    atomizer::Phases phases;                             // φ(t)
    // Counts actions that other threads may see: accesses to shared-modified data, left- and
    // non-movers.
    std::uint64_t effects = 0;
    atomizer::QuietThread quiet;
    atomizer::DeferredWindows deferred_windows;
    std::uint64_t last_commit = 0, last_violation = 0;  // ordinals of its last window
    atomizer::LateView own_locks_view, own_data_view;
    // Open calls of assumed functions: operations inside them take no part in reduction.
    std::vector<FunctionId> assumed;
    std::uint32_t no_warn = 0;  // how many of them are no_warn: no lockset looks at accesses either
    bool seen = false;
    bool in_wait = false;
    std::optional<Address> wait_mutex;  // released by a wait and not yet acquired again
    // condition_variable_any has a mutex of its own. It acquires that one, releases the user's,
    // waits, and does the same backwards. A lock released like this belongs to the wait.
    bool acquired_last = false;              // its last lock operation was an acquire
    std::optional<Address> released_last;    // by its last lock operation, right after an acquire
    std::optional<Address> released_around;  // a wait, and not yet acquired again
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
      add_thread(thread);
    return threads_[index(thread)];
  }
  void add_thread(ThreadId thread);

  template <bool kWrite>
  bool access(const Access& e, Kind kind, bool compares = false);
  template <bool kWrite>
  void plain_access(const Access& e, Kind kind);
  template <bool kWrite>
  void atomic_access(const AtomicAccess& e, Kind kind);
  bool is_uncounted(const AtomicAccess& e, Kind kind);
  template <bool kWrite, class F>
  void follow_look(const Access& e, atomizer::Phases& phases, F&& violated);
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
  void start_own_data_view(ThreadId id);
  void own_access(atomizer::Action action, ThreadState& thread);
  void follow(atomizer::Action& end, const Access& e, bool writes_it);
  void follow_open_regions(const Access& e, bool writes_it);
  void follow_own_data(const Access& e, bool writes_it);
  void forget_own_data(const MemoryOperation& e);
  void add_history(atomizer::Action& access);
  template <bool kWrite>
  void declared_access(const Access& e, Kind kind, ThreadState& thread);
  void race(const Access& e, Kind kind, ThreadState& thread, const atomizer::Location& location,
            std::size_t racy_granules, bool compares = false);
  atomizer::Action action_of(const Access& e, Kind kind, const ThreadState& thread, bool compares);

  void left(const SyncOperation& e, Kind kind) {
    sync(e.where, kind, e.object, atomizer::Mover::kLeft);
  }
  void right(const SyncOperation& e, Kind kind) {
    sync(e.where, kind, e.object, atomizer::Mover::kRight);
  }
  void sync(const Where& where, Kind kind, Address object, atomizer::Mover mover);
  void leave(const SyncOperation& e) {
    if (hands_over_) order_.leave(e.where.thread, e.object);
  }
  void come(const SyncOperation& e) {
    if (hands_over_) order_.come(e.where.thread, e.object);
  }
  void renew(const MemoryOperation& e);
  bool is_alone(ThreadId thread) const { return live_.is_alone(thread) && options_.lone_thread; }

  void step(ThreadState& thread, atomizer::Mover mover, const atomizer::Action& action);
  bool is_judged(const ThreadState& thread, const atomizer::Action& action);
  bool hides_outer(const atomizer::OpenRegion& region) const;
  // What is declared of a site that is new.
  void learn_of(SiteId site) {
    if (options_.tables != nullptr && index(site) >= options_.declarations.sites_known())
        [[unlikely]]
      options_.declarations.learn(*options_.tables);
  }
  void step_own_lock(ThreadState& thread, atomizer::Mover mover, atomizer::LockIndex lock,
                     atomizer::Action& action);
  void report_race(ThreadState& thread, const atomizer::Action& action);
  auto violator() {
    return [this](const atomizer::OpenRegion& region, const atomizer::Action& action) {
      if (!excused(region, action)) add_window(region, action);
    };
  }
  auto late_violator(atomizer::LateView& view) {
    return [this, &view](const atomizer::OpenRegion& region, const atomizer::Action& action) {
      if (!excused(region, action)) add_late_window(view, region, action);
    };
  }
  // Calls f(Phases&, violated) for each late view of the thread that is in use.
  template <class F>
  void for_late_views(ThreadState& thread, F&& f) {
    for (atomizer::LateView* view : {&thread.own_locks_view, &thread.own_data_view})
      if (view->in_use()) [[unlikely]]
        f(view->phases(), late_violator(*view));
  }
  void stop_late_views(ThreadState& thread);
  auto window_reporter() {
    return [this](const atomizer::OpenRegion& region, const atomizer::Action& action) {
      report_window(region, action);
    };
  }
  void add_window(const atomizer::OpenRegion& region, const atomizer::Action& action);
  void add_late_window(atomizer::LateView& view, const atomizer::OpenRegion& region,
                       const atomizer::Action& action);
  void keep_or_report(atomizer::LateWindows::Window window);
  void follow_late_windows(atomizer::LockIndex lock, ThreadId user);
  void report_window(const atomizer::OpenRegion& region, const atomizer::Action& action);
  template <class Make>
  void report(const Window& window, Make&& make);
  // The region need not be atomic across this action.
  bool excused(const atomizer::OpenRegion& region, const atomizer::Action& action) const {
    if (action.in_wait && is_split_at_waits(region.region)) return true;
    if (options_.split_at_barrier && action.operation == Kind::kBarrierDepart) return true;
    if (options_.split_at_join && action.operation == Kind::kJoin) return true;
    return options_.lone_regions && live_.only_own_threads_since(region.unforked_at_entry);
  }
  bool is_split_at_waits(RegionId region) const;
  static std::uint64_t place_of(const atomizer::Action& action);
  atomizer::Contention operate(atomizer::LockIndex lock, ThreadId thread,
                               atomizer::LocksetId others);
  void remove_held(ThreadState& thread, HeldLock* held);
  static HeldLock* find_held(ThreadState& thread, Address lock);
  static constexpr std::uint8_t kRacy = 1;       // an access there was a non-mover
  static constexpr std::uint8_t kInFinding = 2;  // ... and is in a finding
  void note_racy_site(SiteId site, std::uint8_t bit);

  FindingSink& sink_;
  AtomizerOptions options_;
  const bool hands_over_;    // both options are on
  const bool late_windows_;  // ... and this one
  const bool late_data_;     // ... and those of late_data.h
  atomizer::LocksetTable sets_;
  atomizer::LocksetPairs pairs_;
  atomizer::ThreadOrder order_;
  atomizer::LockStates locks_;
  atomizer::LiveThreads live_;
  atomizer::LateWindows late_;
  atomizer::LateData own_data_;
  std::vector<ThreadId> watching_own_data_;  // threads whose own_data_view is in use
  atomizer::WitnessTable witnesses_;
  atomizer::Reporter reporter_;
  ByteMap<atomizer::Location> locations_;
  std::vector<ThreadState> threads_;  // by ThreadId

  absl::flat_hash_map<Window, std::uint64_t> repeats_;  // reported, and how often seen again
  std::vector<std::uint8_t> racy_sites_;                // by SiteId: kRacy, kInFinding
  ProgramPoints points_;
  std::vector<bool> regions_entered_;  // by RegionId
  absl::flat_hash_set<RegionId> regions_warned_;
  std::size_t most_locks_held_ = 0;
  std::uint64_t violations_ = 0;
};
static_assert(Analysis<Atomizer>);
static_assert(ByteMap<atomizer::Location>::bytes_per_piece() <= 24);  // beside interned locksets

}  // namespace isosan
