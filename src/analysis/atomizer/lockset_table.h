// Interned sets of locks: equal sets have equal ids, and operations on ids are remembered (memo.h).
//
// Law: an id never changes its set. kNoLocks is the empty set; kAllLocks is the paper's `Lock`, the
// set of all locks, neutral for intersection and never enumerated.
// Programs use few distinct sets (column "Lock Set Pairs" of Fig. 16), so nothing is ever freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/container/node_hash_map.h"
#include "analysis/atomizer/memo.h"

namespace isosan::atomizer {

enum class LockIndex : std::uint32_t {};  // m: dense, never used again after the lock's memory went
enum class LocksetId : std::uint32_t {};
inline constexpr LocksetId kNoLocks{0};
inline constexpr LocksetId kAllLocks{1};

using Lockset = absl::InlinedVector<LockIndex, 4>;  // sorted

class LocksetTable {
 public:
  LocksetTable();

  LocksetId with(LocksetId set, LockIndex lock);
  LocksetId without(LocksetId set, LockIndex lock);
  LocksetId intersection(LocksetId a, LocksetId b);

  const Lockset& members(LocksetId set) const;  // not of kAllLocks
  std::size_t size() const { return sets_.size(); }

 private:
  LocksetId intern(Lockset set);

  std::vector<const Lockset*> sets_;  // by LocksetId; points into ids_, whose nodes stay
  absl::node_hash_map<Lockset, LocksetId> ids_;
  Memo<LocksetId, 10> with_, without_, intersections_;  // of both operands in one word
};

}  // namespace isosan::atomizer
