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

}  // namespace isosan::suite
