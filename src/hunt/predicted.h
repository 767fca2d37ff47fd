// The predicted schedules that wait to be tried, most promising first.
//
// Model: each run that is added contributes its predictions (predict/predictor.h) in their order.
// Those at places that were not predicted before come before repetitions: a run that took another
// branch shows new ones, and what one forced run makes reachable is where the next one starts. A
// prediction waits in each of its shapes (candidates.h); those with a late cut have a rank of their
// own.
//
// Predictions of places where a few runs in a row have shown nothing new are dropped: in a correct
// class each observed run predicts the same places again.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hunt/candidates.h"
#include "hunt/hunt.h"
#include "predict/predictor.h"

namespace isosan {

class PredictedSchedules {
 public:
  // What is predicted is counted and kept in `result`.
  PredictedSchedules(const HuntOptions& options, HuntResult& result)
      : options_(options), result_(result) {}

  enum Rank {
    kFresh,     // of places that were not predicted before
    kNested,    // a second cut while the first one still holds
    kReshaped,  // with a late cut
    kRepeated,  // of the same places as another one, in another run
    kRanks
  };

  // `along`: the candidate whose run the predictor has.
  void add(Predictor& predictor, Tables& tables, const Candidate& along);
  std::optional<Candidate> next(Rank rank);
  // A run along it has shown so many new orders (Lesson::news).
  void learn(const Candidate& run, std::uint64_t news);
  // It could not be followed as far as its cut: nor can the same cut with another end.
  void drop_like(const Candidate& infeasible);
  std::size_t size(Rank rank) const;
  std::size_t size() const;

 private:
  void drop(const std::function<bool(const Candidate&)>& unwanted);
  PredictLimits limits() const;
  unsigned most_per_key() const;
  unsigned times_predicted(const std::string& key);
  void add(const Candidate& candidate, const std::shared_ptr<const Tables>& resolved, Rank rank,
           unsigned times);
  std::optional<std::size_t> keep(const Prediction& prediction,
                                  const std::shared_ptr<const Tables>& tables, Shape shape,
                                  Verdict verdict);

  const HuntOptions& options_;
  HuntResult& result_;
  bool is_barren(const Candidate& candidate) const;

  std::map<std::string, unsigned> times_;    // predicted, by key
  std::map<std::string, unsigned> in_vain_;  // runs in a row that showed nothing new, by places
  // By rank and by how often the same was predicted before.
  std::map<unsigned, std::deque<Candidate>> waiting_[kRanks];
};

}  // namespace isosan
