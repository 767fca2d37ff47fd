// The precise half (PCD): Velodrome over what the logs of a component hold, in order.
//
// Outside regions a walk is one log entry, but each of its accesses is a transaction, which
// Velodrome identifies by ordinal. So replay needs more ordinals than there are entries: each such
// walk shifts the ordinals after it by its accesses, and findings are shifted back.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "analysis/velodrome/velodrome.h"
#include "event/event.h"
#include "event/finding_sink.h"

namespace isosan::icd {

class Replay {
 public:
  Replay(std::size_t logs, const Velodrome::Options& options)
      : velodrome_(precise_, options), depths_(logs, 0) {}

  // An event of a log, in the recorded order.
  void take(std::size_t log, const Event& event, std::uint64_t ordinal) {
    std::uint32_t& depth = depths_[log];
    if (event.kind == Kind::kBegin) ++depth;
    if (event.kind == Kind::kEnd && depth > 0) --depth;
    const bool plain = event.kind == Kind::kRead || event.kind == Kind::kWrite;
    plain&& depth == 0 && is_walk(event) ? take_apart(event, ordinal) : take(event, ordinal);
  }
  // An Allocate or Free.
  void take(const Event& event, std::uint64_t ordinal) {
    dispatch(velodrome_, event, ordinal + moved_);
  }

  std::vector<Finding> findings() {
    velodrome_.finish();
    std::vector<Finding> found = precise_.findings();
    for (Finding& finding : found) {
      for (FindingTransaction& t : finding.transactions) move_back(t.begin);
      for (FindingStep& step : finding.steps) move_back(step.where);
    }
    return found;
  }

 private:
  struct TakenApart {
    std::uint64_t first;  // ordinal in the replay
    std::uint64_t count;
    std::uint64_t moved;  // by how much ordinals before it were shifted
  };

  void take_apart(const Event& walk, std::uint64_t ordinal) {
    const WalkSteps steps = steps_of(walk);
    taken_apart_.push_back({ordinal + moved_, steps.count, moved_});
    Event access = walk;
    access.depth = 0;
    access.size = steps.size;
    for (std::uint64_t i = 0; i < steps.count; ++i, access.address += steps.stride) {
      take(access, ordinal + i);
    }
    moved_ += steps.count;
  }

  void move_back(Where& where) const {
    const auto after =
        std::ranges::upper_bound(taken_apart_, where.ordinal, {}, &TakenApart::first);
    if (after == taken_apart_.begin()) return;
    const TakenApart& walk = *std::prev(after);
    const bool is_in_it = where.ordinal - walk.first < walk.count;
    where.ordinal = (is_in_it ? walk.first : where.ordinal - walk.count) - walk.moved;
  }

  FindingSink precise_;
  Velodrome velodrome_;
  std::vector<std::uint32_t> depths_;  // by log: regions open
  std::uint64_t moved_ = 0;
  std::vector<TakenApart> taken_apart_;
};

}  // namespace isosan::icd
