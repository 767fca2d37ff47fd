#include "analysis/aerodrome/transaction.h"

#include <algorithm>

#include "base/check.h"

namespace isosan::aerodrome {

Transaction& TransactionPool::make() {
  live_peak_ = std::max(live_peak_, ++live_);
  if (!free_.empty()) {
    Transaction& transaction = *free_.back();
    free_.pop_back();
    return transaction;
  }
  transactions_.emplace_back();
  transactions_.back().pool = this;
  return transactions_.back();
}

void TransactionPool::retire(Transaction& transaction) {
  ISOSAN_CHECK(!transaction.open);
  --live_;
  ++transaction.generation;
  transaction.references = 0;
  transaction.grew = false;
  transaction.region = kNoRegion;
  transaction.clock.clear();
  transaction.open_before.clear();
  transaction.followers.clear();
  transaction.compact_at = 0;
  free_.push_back(&transaction);
}

}  // namespace isosan::aerodrome
