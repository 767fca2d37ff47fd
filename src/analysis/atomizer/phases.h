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
//
// Second looks (ours). A *look* is a read that is a non-mover. It can be repeated in two ways, as
// long as the thread does nothing to shared data in between (forget_look):
//  - A compare-exchange of the same bytes follows. It fails if the value has changed, so the region
//    commits at the compare-exchange and not at the look. Other reads in between may be outdated
//    (ABA).
//  - The same place of the program comes to the same bytes again, by an atomic operation: it waits
//    there, and only the last round counts.
//  - A lock is acquired, and the same bytes are read again under it (look_again), as double-checked
//    locking does. Until that read, the regions are *unsettled*. If the thread acts on shared data
//    first, they are violated (settle).
// Law: right after a look, all post-commit regions have that look as their commit.
//
// A fork is a left-mover. Where a region joins a thread that it forked, the fork cuts it in two
// (deferred_windows.h): commit_anew moves the region's commit behind the fork.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/atomizer/live_threads.h"
#include "analysis/atomizer/lockset_table.h"
#include "analysis/atomizer/thread_order.h"
#include "analysis/atomizer/witness_table.h"
#include "event/event.h"

namespace isosan::atomizer {

enum class Mover : std::uint8_t { kBoth, kRight, kLeft, kNon };

// An access of what only its thread has used so far (late_data.h).
enum class OwnData : std::uint8_t {
  kNone,       // it is no such access
  kPending,    // nobody else has used it since
  kContended,  // a thread that does not see this access has used it in a way that conflicts
  kPast,       // all others that use it see this access as past
};

// One operation as a finding needs it.
struct Action {
  Where where;
  Kind operation{};
  bool in_wait = false;    // the release or acquire of a condition wait's mutex
  bool is_look = false;    // a read without a lock that may be repeated
  bool compares = false;   // a compare-exchange
  SiteId round = kNoSite;  // of an atomic operation that reads: its program point
  Address address = 0;
  std::uint64_t size = 0;
  LocksetId held = kNoLocks;       // H(t, σ)
  WitnessId history = kNoWitness;  // of a variable
  PairId candidates{};             // of a variable, after the access
  // Of a lock that nobody else has used so far (late_windows.h).
  std::optional<LockIndex> own_lock = {};
  OwnData own_data = OwnData::kNone;
  ThreadOrder::Uses made = {};  // when and by which slot, if own_data is not kNone
};

struct OpenRegion {
  RegionId region{};
  Where entered;
  UnforkedCount unforked_at_entry = kNotAlone;
  Action commit;  // the first left- or non-mover; meaningful in post-commit only
};

class Phases {
 public:
  bool outside() const { return depth_ == 0; }
  std::span<const OpenRegion> open() const { return {regions_.data(), depth_}; }

  // [INS ENTER], [INS NESTED ENTER]
  void enter(RegionId region, const Where& where, UnforkedCount unforked) {
    if (depth_ == regions_.size()) regions_.emplace_back();
    OpenRegion& open = regions_[depth_++];
    open.region = region;
    open.entered = where;
    open.unforked_at_entry = unforked;
  }

  // The functions below call violated(const OpenRegion&, const Action&) for each region that goes
  // wrong, innermost first.

  // [INS EXIT], [INS NESTED EXIT]. Regions inside this one stay open: a function that is found to
  // be no region (spec/region_stage.h) can end before a block in it does.
  template <class F>
  void exit(RegionId region, F&& violated) {
    for (std::size_t i = depth_; i-- > 0;) {
      if (regions_[i].region != region) continue;
      if (i < unsettled_) {
        violated(regions_[i], acquire_);
        --unsettled_;
      }
      if (i < post_commit_) --post_commit_;
      --depth_;
      for (; i < depth_; ++i) regions_[i] = regions_[i + 1];
      return;
    }
  }
  template <class F>
  void clear(F&& violated) {
    settle(violated);
    depth_ = post_commit_ = 0;
  }

  template <class F>
  void step(Mover mover, const Action& action, F&& violated) {
    if (mover == Mover::kBoth || depth_ == 0) return;
    if (looked_ && repeats_look(mover, action)) return;
    looked_ = action.is_look;
    if (mover != Mover::kRight) settle(violated);
    if (mover != Mover::kLeft) {  // [WRONG ACQUIRE], [WRONG RACE VIOLATE] and the like
      for (std::size_t i = post_commit_; i-- > 0;) violated(regions_[i], action);
      post_commit_ = 0;
    }
    if (mover == Mover::kRight) return;              // [INS ACQUIRE]
    for (; post_commit_ < depth_; ++post_commit_) {  // [INS RELEASE COMMIT], [INS RACE COMMIT]
      regions_[post_commit_].commit = action;
    }
  }

  // A left-mover after a fork: regions that committed before it have their next window from here.
  void commit_anew(std::uint64_t fork_ordinal, const Action& action) {
    for (std::size_t i = 0; i < post_commit_; ++i) {
      if (regions_[i].commit.where.ordinal <= fork_ordinal) regions_[i].commit = action;
    }
  }

  // What the open regions committed at, or looked at before the acquire that is not settled.
  template <class F>
  void for_each_commit(F&& f) {
    for (std::size_t i = 0; i < std::max(post_commit_, unsettled_); ++i) f(regions_[i].commit);
  }

  bool awaits_look() const { return looked_ | (unsettled_ > 0); }
  void forget_look() { looked_ = false; }
  void look_again(Address address, std::uint64_t size) {
    const Action& look = regions_[0].commit;
    if (look.address == address && look.size == size) unsettled_ = 0;
  }
  template <class F>
  void settle(F&& violated) {
    for (std::size_t i = unsettled_; i-- > 0;) violated(regions_[i], acquire_);
    unsettled_ = 0;
  }

 private:
  // The last action that was no both-mover was a look.
  bool repeats_look(Mover mover, const Action& action) {
    if (post_commit_ == 0) return false;  // the look's regions have ended
    const Action& look = regions_[0].commit;
    const bool same = action.address == look.address && action.size == look.size;
    const bool is_round = action.round != kNoSite && action.round == look.round;
    if (same && (action.compares || is_round)) {
      for (std::size_t i = 0; i < depth_; ++i) regions_[i].commit = action;
      post_commit_ = depth_;
      looked_ = action.is_look;
      return true;
    }
    if (mover != Mover::kRight || action.operation != Kind::kAcquire) return false;
    acquire_ = action;
    unsettled_ = std::exchange(post_commit_, 0);
    looked_ = false;
    return true;
  }

  std::vector<OpenRegion> regions_;  // outermost first; from depth_ on: unused
  std::size_t depth_ = 0;            // regions_[0 .. depth_) are open
  std::size_t post_commit_ = 0;  // regions_[0 .. post_commit_) are post-commit, the rest pre-commit
  bool looked_ = false;          // the last action was a look
  std::size_t unsettled_ = 0;    // regions_[0 .. unsettled_) looked, then did acquire_
  Action acquire_;
};

}  // namespace isosan::atomizer
