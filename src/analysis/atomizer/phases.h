// Where a thread's open regions stand in Lipton's pattern: φ(t) of the paper, one per nested
// region.
//
// A region is reducible if its actions are right-movers, then at most one non-mover, then
// left-movers: it is pre-commit until its first left- or non-mover, post-commit after. No open
// region is "outside". Each nested region is judged for itself, by the actions since its own entry.
//
// Law: an inner region has seen a suffix of what an outer one has seen, so post-commit regions are
// the outermost ones: a count is enough. An action costs O(1) unless it commits or violates.
// After a violation the paper's semantics stops; we let the violated regions start again with the
// violating action, so that each further finding shows the next window and not the first one again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/atomizer/lone_thread.h"
#include "analysis/atomizer/witness_table.h"
#include "event/event.h"

namespace isosan::atomizer {

enum class Mover : std::uint8_t { kBoth, kRight, kLeft, kNon };

// One operation as a finding needs it.
struct Action {
  Where where;
  Kind operation{};
  bool in_wait = false;  // the release or acquire of a condition wait's mutex
  Address address = 0;
  std::uint64_t size = 0;
  LocksetId held = kNoLocks;       // H(t, σ)
  WitnessId history = kNoWitness;  // of a variable
  PairId candidates{};             // of a variable, after the access
};

struct OpenRegion {
  RegionId region{};
  Where entered;
  Company company = kOthersThere;
  Action commit;  // the first left- or non-mover; meaningful in post-commit only
};

class Phases {
 public:
  bool outside() const { return regions_.empty(); }
  const std::vector<OpenRegion>& open() const { return regions_; }

  // [INS ENTER], [INS NESTED ENTER]
  void enter(RegionId region, const Where& where, Company company) {
    regions_.push_back({region, where, company, {}});
  }

  // [INS EXIT], [INS NESTED EXIT]; regions inside that were left without an End go with it.
  void exit(RegionId region) {
    for (std::size_t i = regions_.size(); i-- > 0;) {
      if (regions_[i].region != region) continue;
      regions_.resize(i);
      if (post_commit_ > i) post_commit_ = i;
      return;
    }
  }

  void clear() {
    regions_.clear();
    post_commit_ = 0;
  }

  // Calls violated(const OpenRegion&) for each region that goes wrong, outermost first.
  template <class F>
  void step(Mover mover, const Action& action, F&& violated) {
    if (mover == Mover::kBoth || regions_.empty()) return;
    if (mover != Mover::kLeft) {  // [WRONG ACQUIRE], [WRONG RACE VIOLATE] and kin
      for (std::size_t i = 0; i < post_commit_; ++i) violated(regions_[i]);
      post_commit_ = 0;
    }
    if (mover == Mover::kRight) return;  // [INS ACQUIRE]
    for (; post_commit_ < regions_.size();
         ++post_commit_) {  // [INS RELEASE COMMIT], [INS RACE COMMIT]
      regions_[post_commit_].commit = action;
    }
  }

 private:
  std::vector<OpenRegion> regions_;  // outermost first
  std::size_t post_commit_ = 0;  // regions_[0 .. post_commit_) are post-commit, the rest pre-commit
};

}  // namespace isosan::atomizer
