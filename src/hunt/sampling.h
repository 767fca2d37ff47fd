// Schedules by chance: the policy of the target's scheduler (runtime/schedule/policy.cc) chooses at
// each point, and this chooses policy and seed.
//
//   random   any thread that can run, all alike
//   pct      random priorities with change points: Burckhardt et al., ASPLOS 2010
//   pos      partial order sampling: Yuan, Yang, Gu, CAV 2018
//   surw     selectively uniform random walk: Zhao et al., ASPLOS 2025
//   stress   threads as they come, nothing is forced
#pragma once

#include "hunt/strategy.h"

namespace isosan {

enum class Sampled { kRandom, kPct, kPos, kSurw, kStress };

class Sampling : public Strategy {
 public:
  // `observes`: the events of its runs are recorded.
  Sampling(Sampled how, std::uint64_t seed, bool observes)
      : how_(how), seed_(seed), observes_(observes) {}

  std::optional<Candidate> next() override;
  void learn(const Candidate& candidate, const Lesson& lesson) override;

 private:
  Sampled how_;
  std::uint64_t seed_;
  bool observes_;
  std::uint64_t drawn_ = 0;
  std::uint64_t operations_ = 0;  // of the first run, as are the objects
  std::vector<SelectedObject> shared_;
};

}  // namespace isosan
