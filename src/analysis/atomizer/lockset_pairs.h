// The candidate locks of a shared variable: pairs of locksets and how an access narrows them.
//
// Model (Fig. 15): φ(x, A), the locks held on every access of x, and φ(x, W), the locks held on
// every write of x; A is a subset of W; both start as all locks. H(t, σ) comes in two parts, since
// C++ has reader-writer locks: the locks held in any mode protect a read (a reader keeps writers
// out), only the exclusive ones protect a write.
//
//   read:  A := A ∩ H_any               both-mover iff W ∩ H_any ≠ ∅          [INS3 READ ...]
//   write: A := A ∩ H_ex, W := W ∩ H_ex  both-mover iff A ∩ H_ex ≠ ∅           [INS3 WRITE ...]
//
// Without write-protection (4.4 off, Figs. 11 and 14) there is one set, φ(x) = A: a read is a mover
// iff A ∩ H_any ≠ ∅, and W is left at all locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "analysis/atomizer/lockset_table.h"
#include "analysis/atomizer/memo.h"

namespace isosan::atomizer {

struct LocksetPair {
  LocksetId access = kAllLocks;  // φ(x, A)
  LocksetId write = kAllLocks;   // φ(x, W)
};

enum class PairId : std::uint32_t {};
inline constexpr PairId kAnyLock{0};  // A = W = all locks: no access narrowed it yet

struct PairStep {
  PairId next;
  bool both_mover;
};

class LocksetPairs {
 public:
  LocksetPairs(LocksetTable& sets, bool write_protected);

  PairStep read(PairId pair, LocksetId held_any) { return step<false>(pair, held_any); }
  PairStep write(PairId pair, LocksetId held_exclusive) { return step<true>(pair, held_exclusive); }
  LocksetPair at(PairId pair) const { return pairs_[static_cast<std::size_t>(pair)]; }
  std::size_t size() const { return pairs_.size(); }

 private:
  template <bool kWrite>
  PairStep step(PairId pair, LocksetId held) {
    const std::uint64_t key = static_cast<std::uint64_t>(pair) << 33 |
                              static_cast<std::uint64_t>(held) << 1 |
                              static_cast<std::uint64_t>(kWrite);
    return steps_.of(key,
                     [&] { return kWrite ? compute_write(pair, held) : compute_read(pair, held); });
  }
  PairStep compute_read(PairId pair, LocksetId held);
  PairStep compute_write(PairId pair, LocksetId held);
  PairId intern(LocksetPair pair);

  LocksetTable& sets_;
  const bool write_protected_;
  std::vector<LocksetPair> pairs_;  // by PairId
  absl::flat_hash_map<std::uint64_t, PairId> ids_;
  Memo<PairStep, 12> steps_;
};

}  // namespace isosan::atomizer
