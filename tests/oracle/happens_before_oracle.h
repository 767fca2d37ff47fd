// Happens-before and data races by brute force, for small traces. Shares no line with any analysis.
//
// Happens-before is the transitive closure of program order, the synchronization of
// semantics.md (always on here) and C++ atomics. For these the trace's order is the
// modification order, a load reads the latest store before it, and:
//  - an atomic object is known by its address; plain accesses to it leave its release sequence
//  alone,
//    allocating or freeing a byte at its address ends it;
//  - a store of order release or stronger heads a release sequence and ends the one before; a
//  relaxed
//    store ends it too, and heads one on behalf of the latest release fence before it in its
//    thread, if there is one; a read-modify-write continues the sequence and, if it releases (or a
//    release fence stands before it), joins it as a further head;
//  - a load or read-modify-write of order acquire or stronger (consume counts as acquire) comes
//  after
//    the heads; a weaker one hands them to the next acquire fence of its thread;
//  - seq_cst fences are both fences; the total order of seq_cst operations adds nothing.
//
// A race: two accesses in different threads that share a byte (not allocated or freed in between),
// one writes, not both are atomic, and the first does not happen before the second. Free is a write,
// allocate is one for what comes after it; stacks are neither. An operation on a lock, condition or
// barrier reads its first byte atomically (the end of a wait does not), an acquire before the order
// that it gets from its lock, a notification after the order that it gives.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "event/event.h"

namespace isosan::test {

class HappensBeforeOracle {
 public:
  explicit HappensBeforeOracle(std::span<const Event> events);

  bool happens_before(std::size_t e, std::size_t f) const { return before_[e][f] != 0; }
  // (earlier ordinal, later ordinal)
  const std::set<std::pair<std::size_t, std::size_t>>& races() const { return races_; }
  // The bytes that the two events race on, in order; empty: none.
  std::vector<Address> racing_bytes(std::size_t e, std::size_t f) const;

 private:
  bool use_happens_before(std::size_t e, std::size_t f) const;

  std::vector<Event> events_;
  std::vector<std::vector<char>> before_;      // [e][f], transitively closed
  std::vector<std::vector<char>> before_use_;  // the same without what f gets from its own lock
  std::set<std::pair<std::size_t, std::size_t>> races_;
};

}  // namespace isosan::test
