// The schedules that a hunt tries.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "hunt/hunt.h"

namespace isosan {

struct Candidate {
  ScheduleRequest request;
  std::optional<Prediction> prediction;
  bool free = false;                  // stress: nothing is forced
  bool late = false;                  // with_late_cut()
  std::optional<std::size_t> number;  // in HuntResult::tried
  std::uint64_t order = 0;            // candidates before it, of all shards
};

// The n-th candidate of a random strategy.
Candidate random_candidate(Strategy strategy, std::uint64_t seed, std::uint64_t n,
                           std::uint64_t operations);

// The predicted schedule with e as late as possible: right before e2. What T1 does between e1 and
// e2 may matter (it may read a second location there), and any e between the two is valid. Empty:
// it is late already.
std::optional<Candidate> with_late_cut(const Candidate& candidate, const Tables& tables);

// What is run, as text: the same in every shard (base/shard.h).
std::string identity_of(const ScheduleRequest& request);

}  // namespace isosan
