#include "hunt/candidates.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/schedule_file.h"

namespace isosan {
namespace {

using Steps = std::vector<ScheduleStep>;

// The last step of the victim; end: it has none.
Steps::reverse_iterator last_of_victim(Steps& steps, const std::string& victim) {
  return std::find_if(steps.rbegin(), steps.rend(),
                      [&](const ScheduleStep& step) { return step.thread == victim; });
}

// T1 goes on until it is about to execute e2. False: there is no e2, or it does already.
bool cut_late(Candidate& candidate) {
  const std::vector<PredictedOperation>& operations = candidate.prediction->operations;
  Steps& steps = candidate.request.schedule.steps;
  const auto last = last_of_victim(steps, candidate.victim);
  if (operations.size() != 3 || last == steps.rend() || last->until >= operations[2].index) {
    return false;
  }
  last->until = operations[2].index;
  return true;
}

// T1 stops where it holds no lock behind e1, if that is where it was observed.
void cut_at_release(Candidate& candidate) {
  const Prediction& prediction = *candidate.prediction;
  Steps& steps = candidate.request.schedule.steps;
  const auto last = last_of_victim(steps, candidate.victim);
  if (!prediction.unlocked || last == steps.rend()) return;
  const auto before = std::find_if(std::next(last), steps.rend(), [&](const ScheduleStep& step) {
    return step.thread == candidate.victim;
  });
  const std::uint64_t behind_e1 = prediction.operations[0].index + 1;
  if (before != steps.rend() && before->until >= behind_e1) return;
  last->until = behind_e1;
  last->beyond = kUnlocked;
}

void return_to_victim(Candidate& candidate) {
  Schedule& schedule = candidate.request.schedule;
  schedule.steps.back().beyond = kUnlocked;
  schedule.first_after = candidate.victim;
}

}  // namespace

std::string_view name_of(Shape shape) {
  if (shape.late) return shape.returns ? "late-cut-returns" : "late-cut";
  return shape.returns ? "returns" : "as-predicted";
}

std::optional<Candidate> reshaped(const Candidate& candidate, Shape shape) {
  Candidate other = candidate;
  other.shape = shape;
  if (candidate.prediction->pattern == Pattern::kDeadlock) {
    if (shape.late || shape.returns) return std::nullopt;
    return other;
  }
  if (shape.returns && is_pair(candidate.prediction->pattern)) return std::nullopt;
  if (shape.late && !cut_late(other)) return std::nullopt;
  if (!shape.late) cut_at_release(other);
  if (shape.returns) return_to_victim(other);
  if (!shape.returns) other.request.last_after = candidate.victim;
  return other;
}

std::string identity_of(const ScheduleRequest& request) {
  return fmt::format("{} {} {}\n{}", static_cast<int>(request.policy), request.seed,
                     request.pct_depth, print_schedule(request.schedule));
}

}  // namespace isosan
