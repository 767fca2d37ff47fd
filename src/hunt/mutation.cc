#include "hunt/mutation.h"

#include <algorithm>

namespace isosan {
namespace {

constexpr std::size_t kMostSteps = 10000;  // of a schedule that is kept

struct Tail {
  log::Policy policy;
  std::uint32_t depth;  // of pct
};
constexpr Tail kTails[] = {{log::Policy::kPct, 1}, {log::Policy::kPos, 0}, {log::Policy::kPct, 2}};

}  // namespace

std::uint64_t Mutation::draw(std::uint64_t below) {
  std::uint64_t z = (random_ += 0x9e3779b97f4a7c15u);  // splitmix64
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (z ^ (z >> 31)) % below;
}

std::optional<Candidate> Mutation::next() {
  if (kept_.empty()) return std::nullopt;
  const Schedule& parent = kept_[std::max(draw(kept_.size()), draw(kept_.size()))];
  const Tail& tail = kTails[drawn_++ % std::size(kTails)];
  Candidate candidate;
  candidate.request.schedule = parent;
  candidate.request.schedule.steps.resize(1 + draw(parent.steps.size()));
  candidate.request.schedule.first_after.clear();
  candidate.request.policy = tail.policy;
  candidate.request.pct_depth = tail.depth;
  candidate.request.pct_length = operations_;
  candidate.request.seed = draw(~std::uint64_t{0});
  candidate.observed = true;
  return candidate;
}

void Mutation::learn(const Candidate&, const Lesson& lesson) {
  if (lesson.shared != nullptr) operations_ = lesson.execution.operations();
  if (!lesson.feasible || lesson.news == 0) return;
  Schedule executed = schedule_of(lesson.execution);
  if (executed.steps.empty() || executed.steps.size() > kMostSteps) return;
  kept_.push_back(std::move(executed));
}

}  // namespace isosan
