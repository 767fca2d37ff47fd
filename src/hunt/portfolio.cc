#include "hunt/portfolio.h"

#include <algorithm>

namespace isosan {
namespace {

constexpr std::size_t kRanks = PredictedSchedules::kRanks;
constexpr double kMemory = 0.8;        // how much of a score the next run leaves
constexpr double kLeastScore = 0.1;    // no arm starves
constexpr std::uint64_t kAtFirst = 8;  // predictions before anything else
// Of longer runs only sampled ones are recorded and predicted from: that takes longer than the run.
constexpr std::uint64_t kLongestChained = 2'000'000;

}  // namespace

Portfolio::Portfolio(std::unique_ptr<PredictedSchedules> predicted,
                     std::vector<std::unique_ptr<Strategy>> samplers,
                     const PortfolioOptions& options)
    : predicted_(std::move(predicted)),
      samplers_(std::move(samplers)),
      options_(options),
      arms_(kRanks + samplers_.size()) {}

bool Portfolio::has_next(std::size_t arm) const {
  if (arm < kRanks) return predicted_->size(static_cast<PredictedSchedules::Rank>(arm)) > 0;
  if (sampled_ >= options_.samples || in_vain_ >= options_.most_in_vain) return false;
  if (options_.by_score) return samplers_[arm - kRanks]->has_next();
  return predicted_->size() == 0 && arm == kRanks + sampled_ % samplers_.size();
}

std::optional<std::size_t> Portfolio::choose() const {
  std::optional<std::size_t> best;
  for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
    if (!has_next(arm)) continue;
    if (!options_.by_score || (arm == PredictedSchedules::kFresh && runs_ <= kAtFirst)) return arm;
    if (!best || arms_[arm].used < arms_[*best].used) best = arm;
  }
  return best;
}

std::optional<Candidate> Portfolio::next() {
  const std::optional<std::size_t> arm = choose();
  if (!arm) return std::nullopt;
  arms_[*arm].used += 1 / arms_[*arm].score;
  Candidate candidate = *arm < kRanks ? predicted(static_cast<PredictedSchedules::Rank>(*arm))
                                      : sampled(*samplers_[*arm - kRanks]);
  candidate.arm = *arm;
  return candidate;
}

Candidate Portfolio::predicted(PredictedSchedules::Rank rank) {
  Candidate candidate = *predicted_->next(rank);
  candidate.observed = options_.chains && operations_ <= kLongestChained;
  return candidate;
}

Candidate Portfolio::sampled(Strategy& sampler) {
  ++sampled_;
  return *sampler.next();
}

void Portfolio::learn(const Candidate& candidate, const Lesson& lesson) {
  if (!candidate.seeded) count(candidate, lesson);
  if (lesson.shared != nullptr) operations_ = lesson.execution.operations();
  for (const auto& sampler : samplers_) sampler->learn(candidate, lesson);
  if (lesson.predictor == nullptr) return;
  if (candidate.prediction && lesson.news == 0) return;
  predicted_->add(*lesson.predictor, *lesson.tables, candidate);
}

void Portfolio::count(const Candidate& candidate, const Lesson& lesson) {
  ++runs_;
  in_vain_ = lesson.news > 0 ? 0 : in_vain_ + 1;
  const bool left_early = !lesson.feasible && lesson.execution.schedule.steps_done + 1 <
                                                  candidate.request.schedule.steps.size();
  if (left_early && options_.by_score) predicted_->drop_like(candidate);
  const bool recorded = lesson.predictor != nullptr || !lesson.feasible;
  if (candidate.prediction && recorded && options_.by_score)
    predicted_->learn(candidate, lesson.news);
  double& score = arms_[candidate.arm].score;
  score = std::max(kLeastScore, kMemory * score + (1 - kMemory) * (lesson.news > 0 ? 1 : 0));
}

}  // namespace isosan
