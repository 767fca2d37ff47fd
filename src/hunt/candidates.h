// What a hunt tries next.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hunt/hunt.h"

namespace isosan {

struct Candidate {
  ScheduleRequest request;
  std::optional<Prediction> prediction;
  bool free = false;  // stress: nothing is forced
};

// The n-th candidate of a strategy that goes by chance.
Candidate chance(Strategy strategy, std::uint64_t seed, std::uint64_t n, std::uint64_t operations);

}  // namespace isosan
