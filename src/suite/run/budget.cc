#include "suite/run/budget.h"

#include <algorithm>

namespace isosan::suite {

unsigned weight_of(const TestResult& test) {
  const bool ran = test.verdict == Verdict::kPassed || test.verdict == Verdict::kFailed;
  if (!ran || test.threads < 2) return 0;
  return test.contended ? 3 : 1;
}

std::chrono::seconds share_of(std::chrono::seconds left, unsigned jobs, unsigned weight,
                              unsigned weights) {
  const auto share = left * jobs * weight / std::max(weights, 1u);
  return std::clamp(share, std::chrono::seconds(1), std::max(left, std::chrono::seconds(1)));
}

std::chrono::seconds time_left(std::chrono::seconds elapsed, std::size_t done, std::size_t total,
                               std::chrono::seconds behind, std::chrono::seconds most) {
  const auto rest = static_cast<long>(total - std::min(done, total));
  const auto estimate = elapsed * rest / std::max(static_cast<long>(done), 1L) + behind;
  return std::clamp(estimate, std::chrono::seconds(0), std::max(most, std::chrono::seconds(0)));
}

}  // namespace isosan::suite
