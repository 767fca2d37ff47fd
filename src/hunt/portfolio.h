// Predicted schedules and sampled ones, mixed.
//
// Model: there are arms: each rank of the predicted schedules (predicted.h), and each way of
// sampling. Each sampled run is recorded, and predicted from. An arm has a score: the share of its
// latest runs that showed an ordered pair of conflicting operations that no run had shown before
// (coverage.h), older runs counting less. One way of sampling goes on from such runs (mutation.h).
// The arms share the runs in proportion to their scores (stride scheduling), so that none of them
// starves, and what has shown something new lately gets more. Before all of that comes the beginning
// of what is predicted from the first run: where a prediction is right, it is right at once. Sampling
// ends when many runs in a row have shown nothing new.
//
// Chained: a run along a prediction is recorded, too, and if it has shown something new, it is
// predicted from: two switches that no single prediction has come about one after the other.
#pragma once

#include <memory>
#include <vector>

#include "hunt/predicted.h"
#include "hunt/strategy.h"

namespace isosan {

struct PortfolioOptions {
  bool chains = true;    // runs along predictions are predicted from
  bool by_score = true;  // false: all predictions first, then one sample, the arms in turn
  unsigned samples = 100;
  unsigned most_in_vain = 150;  // runs in a row without news; then no more are sampled
};

class Portfolio : public Strategy {
 public:
  Portfolio(std::unique_ptr<PredictedSchedules> predicted,
            std::vector<std::unique_ptr<Strategy>> samplers, const PortfolioOptions& options);

  std::optional<Candidate> next() override;
  void learn(const Candidate& candidate, const Lesson& lesson) override;
  std::uint64_t left() const override { return predicted_->size(); }

 private:
  struct Arm {
    double score = 1;
    double used = 0;  // runs, each divided by the score at its time
  };
  void count(const Candidate& candidate, const Lesson& lesson);  // for its arm
  bool has_next(std::size_t arm) const;
  std::optional<std::size_t> choose() const;
  Candidate predicted(PredictedSchedules::Rank rank);
  Candidate sampled(Strategy& sampler);

  std::unique_ptr<PredictedSchedules> predicted_;
  std::vector<std::unique_ptr<Strategy>> samplers_;
  PortfolioOptions options_;
  std::vector<Arm> arms_;  // the ranks of predictions, then the samplers
  unsigned sampled_ = 0;
  unsigned in_vain_ = 0;
  std::uint64_t runs_ = 0;
  std::uint64_t operations_ = 0;  // of the first run
};

}  // namespace isosan
