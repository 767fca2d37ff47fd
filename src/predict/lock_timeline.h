// Which locks a thread holds, and what it acquired since: locksets and acquisition histories.
//
// Model (Penelope 3.2). LockSet after n operations of a thread: the locks it holds then. The
// acquisition history AH(l) of a lock l in it: every lock acquired since l was. Histories are not
// stored as sets, which would be quadratic: "was m acquired since l" is a search in the sorted list
// of m's acquisitions. A *lock state* is the pair (LockSet, AH) with a number; equal pairs have
// equal numbers (up to a collision of 64-bit hashes), whichever thread they belong to. State 0 is
// the empty lockset.
//
// Beyond the paper: reader-writer locks. Two holders of one lock exclude each other
// unless both hold it shared; likewise an acquisition excludes a holder. Re-entrant acquires and
// releases are left out before they get here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/kind.h"
#include "predict/packed_column.h"

namespace isosan::predict {

using LockIndex = std::uint32_t;   // dense numbers of locks
using StateIndex = std::uint32_t;  // dense numbers of lock states
inline constexpr StateIndex kNoLocks = 0;

constexpr bool excludes(LockMode a, LockMode b) {
  return a == LockMode::kExclusive || b == LockMode::kExclusive;
}

struct HeldLock {
  LockIndex lock = 0;
  LockMode mode{};
};

class LockStates {
 public:
  LockStates() : states_(1) {}
  // The state with this hash of (LockSet, AH); `lockset` makes its LockSet where it is new.
  template <class F>
  StateIndex number_of(std::uint64_t hash, F&& lockset) {
    const auto [found, added] = numbers_.try_emplace(hash, static_cast<StateIndex>(states_.size()));
    if (added) states_.push_back(lockset());
    return found->second;
  }
  std::span<const HeldLock> lockset(StateIndex state) const { return states_[state]; }
  std::size_t size() const { return states_.size(); }

 private:
  std::vector<std::vector<HeldLock>> states_;
  absl::flat_hash_map<std::uint64_t, StateIndex> numbers_;  // by hash
};

// An outermost acquire or release.
struct LockEvent {
  std::uint32_t at = 0;  // its index among the thread's operations
  LockIndex lock = 0;
  LockMode mode{};
  bool acquire = false;
  StateIndex after = kNoLocks;   // the state behind it
  std::uint32_t last_empty = 0;  // if locks are held after it: operations before the first of them
};

class LockTimeline {
 public:
  void acquire(LockStates& states, std::uint32_t at, LockIndex lock, LockMode mode);
  void release(LockStates& states, std::uint32_t at, LockIndex lock);

  // All of these are about the thread after its first n operations.
  StateIndex state(std::uint32_t n) const;
  std::uint32_t last_empty(std::uint32_t n) const;  // largest m <= n with an empty lockset
  std::uint32_t next_empty(std::uint32_t n) const;  // least m >= n; kNever: none
  // Is there an acquisition of `lock` among operations [from, to) that a holder in `mode` would
  // block?
  bool acquires(LockIndex lock, LockMode mode, std::uint32_t from, std::uint32_t to) const;
  // The index of the acquisition of a lock that is held after n operations.
  std::uint32_t acquisition(LockIndex lock, std::uint32_t n) const;

  // Index of the first lock event at operation n or later.
  std::size_t first_event(std::uint32_t n) const;
  std::size_t event_count() const { return at_.size(); }
  LockEvent event(std::size_t i) const {
    return {.at = at_[i],
            .lock = lock_[i],
            .mode = static_cast<LockMode>(how_[i] >> 1),
            .acquire = (how_[i] & 1) != 0,
            .after = after_[i],
            .last_empty = last_empty_[i]};
  }
  std::uint32_t at(std::size_t i) const { return at_[i]; }  // of an event
  StateIndex state_before(std::size_t i) const { return i == 0 ? kNoLocks : after_[i - 1]; }
  bool nested() const { return nested_; }  // every release was of the lock acquired last

  static constexpr std::uint32_t kNever = ~std::uint32_t{0};

 private:
  struct Holding {
    LockIndex lock;
    LockMode mode;
    std::uint32_t at;
    std::uint64_t history;  // sum over AH(lock) of hashes
  };
  struct Acquisitions {
    PackedColumn all, exclusive;  // indices, ascending
    const PackedColumn& against(LockMode holder) const {
      return holder == LockMode::kShared ? exclusive : all;
    }
  };
  void add_event(LockStates& states, std::uint32_t at, LockIndex lock, LockMode mode, bool acquire);

  PackedColumn at_, lock_, how_, after_, last_empty_;  // the lock events; mode << 1 | acquire
  std::vector<Holding> held_;                          // in order of acquisition
  std::uint32_t empty_until_ = 0;
  absl::flat_hash_map<LockIndex, Acquisitions> acquisitions_;
  bool nested_ = true;
};

// Do the locks allow two threads to be at these points at one time: locksets disjoint,
// histories compatible (Kahlon, Ivancic, Gupta 2005)? Always necessary, sufficient if both nest.
bool compatible(const LockStates& states, const LockTimeline& first, std::uint32_t n,
                const LockTimeline& second, std::uint32_t m);

}  // namespace isosan::predict
