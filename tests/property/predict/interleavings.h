// All lock-valid interleavings of two threads, by brute force: the oracle for cut-points. Shares no
// line with src/predict.
//
// Model: (i, j) is reachable if some order of the first i operations of one thread and the first j
// of the other respects the locks. Nothing but locks counts.
#pragma once

#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

#include "event/event.h"

namespace isosan::test {

struct OracleOperation {
  Event event;
  std::size_t ordinal = 0;
  std::vector<std::size_t> regions;  // executions of atomic regions that are open, by number
};

// The operations of each thread, in order.
std::vector<std::vector<OracleOperation>> operations_of(std::span<const Event> events);

class Interleavings {
 public:
  Interleavings(const std::vector<OracleOperation>& first,
                const std::vector<OracleOperation>& second);
  bool reachable(std::size_t i, std::size_t j) const { return reachable_[i][j]; }

 private:
  std::vector<std::vector<bool>> reachable_;
};

bool share_a_byte(const Event& a, const Event& b, const Event& c);
bool of_one_region(const OracleOperation& a, const OracleOperation& b);
// e1 conflicts with f and f with e2.
bool is_pattern(const Event& e1, const Event& f, const Event& e2);

}  // namespace isosan::test
