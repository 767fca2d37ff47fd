#include "hunt/candidates.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/schedule_file.h"

namespace isosan {

Candidate random_candidate(Strategy strategy, std::uint64_t seed, std::uint64_t n,
                           std::uint64_t operations) {
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

std::optional<Candidate> with_late_cut(const Candidate& candidate, const Tables& tables) {
  if (!candidate.prediction || candidate.prediction->operations.size() != 3) return std::nullopt;
  const PredictedOperation& e2 = candidate.prediction->operations[2];
  const std::string& path = tables.threads[index(e2.thread)].birth_path;
  Candidate late = candidate;
  std::vector<ScheduleStep>& steps = late.request.schedule.steps;
  const auto last = std::find_if(steps.rbegin(), steps.rend(),
                                 [&](const ScheduleStep& step) { return step.thread == path; });
  if (last == steps.rend() || last->until >= e2.index) return std::nullopt;
  last->until = e2.index;
  late.late = true;
  return late;
}

std::string identity_of(const ScheduleRequest& request) {
  return fmt::format("{} {} {}\n{}", static_cast<int>(request.policy), request.seed,
                     request.pct_depth, print_schedule(request.schedule));
}

}  // namespace isosan
