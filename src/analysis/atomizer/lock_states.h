// Which lock operations are both-movers because no other thread can contend (4.3).
//
// Model: a lock goes through the states of a variable, without read-shared: thread-local,
// thread-local (2), shared with the set of locks that were held at every operation on it so far. An
// operation on a thread-local lock, or on one protected by a lock that is held now, is a
// both-mover. A reader protects only shared acquisitions (as in lockset_pairs.h).
// Departures: the paper narrows the protecting set at acquires; we do so at releases too, since a
// protecting lock given up first lets another thread reach for this one. And we start to narrow
// with the second owner, not with the third use: otherwise a lock that one thread takes with no
// other would count as protected at the other's first nested use, and that first window would be
// missed. Ours (thread_order.h): where fork, join and barriers order all earlier uses of a lock
// before it, a thread takes it over from any state, as it does a location (location.h). And
// thread-local (2) needs an order in this run: a second thread that does not see the first one's
// uses (other than by this lock) could have run beside it, and shares the lock at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/btree_map.h"
#include "analysis/atomizer/lockset_table.h"
#include "analysis/atomizer/memo.h"
#include "analysis/atomizer/options.h"
#include "analysis/atomizer/thread_order.h"
#include "event/ids.h"

namespace isosan::atomizer {

enum class Contention : std::uint8_t {
  kPossible,  // the operation is a right- or left-mover
  kNotYet,    // a both-mover, because nobody else has used the lock so far (late_windows.h)
  kNone,      // a both-mover
};

class LockStates {
 public:
  LockStates(LocksetTable& sets, ThreadOrder& order, const AtomizerOptions& options)
      : sets_(sets), order_(order), options_(options) {}

  LockIndex index_of(Address lock) {
    return indexes_.of(lock, [&] { return look_up(lock); });
  }
  Address address_of(LockIndex lock) const {
    return locks_[static_cast<std::size_t>(lock)].address;
  }
  std::size_t size() const { return locks_.size(); }

  // An outermost acquire or release by `thread`, which holds `others` beside the lock itself, in
  // the modes that protect this operation.
  Contention operate(LockIndex lock, ThreadId thread, LocksetId others);

  // The same by a thread that is alone (live_threads.h): a both-mover that does not share the lock.
  void operate_alone(LockIndex lock, ThreadId thread);

  // Several threads use it, and no other lock protected all operations on it.
  bool is_contended(LockIndex lock) const {
    const State& state = locks_[static_cast<std::size_t>(lock)];
    return state.use == Use::kShared &&
           (state.always_held == kNoLocks || !options_.protected_locks);
  }

  // Locks in these bytes are gone; a lock there later is another one.
  void forget(Address address, std::uint64_t size);

 private:
  LockIndex look_up(Address lock);

  enum class Use : std::uint8_t { kFresh, kThreadLocal, kThreadLocal2, kOwnAgain, kShared };
  struct State {
    Address address;
    Use use = Use::kFresh;
    ThreadId owner{};                   // the thread that used it last
    LocksetId protecting = kAllLocks;   // held at every operation since the second owner's first
    LocksetId always_held = kAllLocks;  // the same, since the first owner's first
    ThreadOrder::Uses uses{};           // since the last ordered hand-over
  };
  bool hands_over() const;
  bool is_seen(const State& state, ThreadId thread) const;
  void offer(State& state, ThreadId thread);
  void note_use(State& state, ThreadId thread);
  Use next_use(const State& state, ThreadId thread) const;

  LocksetTable& sets_;
  ThreadOrder& order_;
  const AtomizerOptions& options_;
  std::vector<State> locks_;                       // by LockIndex
  absl::btree_map<Address, LockIndex> addresses_;  // of the locks alive
  Memo<LockIndex, 8> indexes_;                     // of some of them
};

}  // namespace isosan::atomizer
