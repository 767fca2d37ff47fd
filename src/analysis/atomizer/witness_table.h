// The lockset history of variables, as findings show it.
//
// Model: a Witness is one step of a variable's history (taken over, shared, last lock lost) with
// the place where it happened and the step before it. Witnesses are interned without the variable
// and the time: the table grows with the places of the program, not with its memory or its run.
// Law: `where` is the place of the first variable that took this step; its ordinal is that one's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/atomizer/lockset_pairs.h"
#include "event/event.h"

namespace isosan::atomizer {

enum class WitnessId : std::uint32_t {};
inline constexpr WitnessId kNoWitness{0};

enum class HistoryStep : std::uint8_t {
  kTakenOver,        // thread-local -> thread-local (2)
  kReadShared,       // a further thread reads
  kShared,           // -> shared-modified, candidates start as the locks held here
  kAccessLocksGone,  // φ(x, A) became empty
  kWriteLocksGone,   // φ(x, W) became empty
};

struct Witness {
  HistoryStep step{};
  Kind operation{};
  Where where;
  LocksetId held = kNoLocks;  // H(t, σ) there
  PairId before{};            // the candidates before it
  WitnessId earlier = kNoWitness;
};

class WitnessTable {
 public:
  WitnessTable() : witnesses_(1) {}

  WitnessId intern(const Witness& witness);
  const Witness& at(WitnessId id) const { return witnesses_[static_cast<std::size_t>(id)]; }
  std::size_t size() const { return witnesses_.size() - 1; }

 private:
  struct Key {            // the parts of a Witness that make it distinct
    std::uint64_t place;  // site, context
    std::uint64_t locks;  // held, before
    std::uint64_t who;    // thread, earlier
    std::uint32_t step;   // step, operation
    bool operator==(const Key&) const = default;
    template <class H>
    friend H AbslHashValue(H h, const Key& k) {
      return H::combine(std::move(h), k.place, k.locks, k.who, k.step);
    }
  };
  static Key key_of(const Witness& witness);

  std::vector<Witness> witnesses_;  // by WitnessId; 0 is unused
  absl::flat_hash_map<Key, WitnessId> ids_;
  Key last_key_{};  // neighbours in an array take the same step in a row
  WitnessId last_ = kNoWitness;
};

}  // namespace isosan::atomizer
