// Conflict serializability by brute force: semantics.md as code, and nothing else. Shares no
// line with any analysis. O(n²) pairs of events, a transitive closure kept as a matrix: for small
// traces.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "event/event.h"
#include "event/finding.h"

namespace isosan::test {

struct OracleTransaction {
  ThreadId thread{};
  RegionId region{};                // kNoRegion: unary
  std::size_t first = 0, last = 0;  // ordinals of its events; others of the thread are not between
};

class SerializabilityOracle {
 public:
  SerializabilityOracle(std::span<const Event> events, bool sync_edges);

  bool serializable() const { return !first_violation_; }
  // The ordinal of the first event whose dependences close a cycle.
  std::optional<std::size_t> first_violation() const { return first_violation_; }

  // The graph of the whole trace.
  const std::vector<OracleTransaction>& transactions() const { return transactions_; }
  std::size_t transaction_of(std::size_t event) const { return transaction_of_[event]; }
  // Is there a dependence of this sort from event e to the later event f? kProgramOrder: same
  // thread, different transactions.
  bool depends(std::size_t e, std::size_t f, EdgeReason reason) const;

 private:
  struct Pair {
    bool data = false, synchronization = false;
  };
  void cut_into_transactions();
  void find_data_dependences();
  void find_sync_dependences();
  void decide();

  std::vector<Event> events_;
  std::vector<OracleTransaction> transactions_;
  std::vector<std::size_t> transaction_of_;  // by event
  std::vector<std::vector<Pair>> pairs_;     // [e][f], e < f, in different threads
  std::optional<std::size_t> first_violation_;
};

}  // namespace isosan::test
