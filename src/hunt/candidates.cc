#include "hunt/candidates.h"

namespace isosan {

Candidate chance(Strategy strategy, std::uint64_t seed, std::uint64_t n, std::uint64_t operations) {
  Candidate candidate;
  candidate.request.seed = seed * 1000003 + n;
  candidate.request.pct_length = operations;
  switch (strategy) {
    case Strategy::kPct:
      candidate.request.policy = log::Policy::kPct;
      break;
    case Strategy::kRandom:
      candidate.request.policy = log::Policy::kRandom;
      break;
    case Strategy::kStress:
    case Strategy::kPenelope:
      candidate.free = true;
      break;
  }
  return candidate;
}

}  // namespace isosan
