// Operations on one location, lock, semaphore or condition that a later one may conflict with.
//
// Model: U(m, w), R(x, w) and W(x, w) of the paper for all blocks w at once. Of two operations in
// order the earlier one need not be kept if the later one is in all blocks that the earlier one is
// in and that are not over: an operation not after the earlier one is not after the later one
// either. An operation outside every parallel block is not kept ([CF OUTSIDE]).
#pragma once

#include <vector>

#include "analysis/fasttrack/history.h"
#include "analysis/singletrack/block_tree.h"
#include "base/vector_clock.h"

namespace isosan {

class ConflictSet {
 public:
  // `now` is the order inside blocks; record.tag is the scope.
  void add(const AccessRecord& record, const VectorClock& now, const BlockTree& blocks) {
    forget_before(record, now, blocks);
    records_.push_back(record);
  }

  void forget_before(const AccessRecord& later, const VectorClock& now, const BlockTree& blocks) {
    std::erase_if(records_, [&](const AccessRecord& record) {
      const BlockId scope = blocks.not_over(record.tag);
      return scope == 0 || (now.covers(record.epoch) && blocks.common(scope, later.tag) == scope);
    });
  }

  auto begin() const { return records_.begin(); }
  auto end() const { return records_.end(); }

 private:
  std::vector<AccessRecord> records_;
};

}  // namespace isosan
