// Schedules that begin as one that has shown something new, and go on by chance.
//
// Model: a run that showed an order of two conflicting operations that no run had shown before
// (coverage.h) is kept as it was executed. A mutant follows one of them up to one of its changes of
// thread; from there on a policy of the scheduler chooses: random priorities without or with one
// change (pct), or partial order sampling. So the window that one run has opened is where the next
// begins, and what is unlikely in two ways is found one after the other. Later runs are
// drawn more often: they have often come from earlier ones.
#pragma once

#include <vector>

#include "event/schedule.h"
#include "hunt/strategy.h"

namespace isosan {

class Mutation : public Strategy {
 public:
  explicit Mutation(std::uint64_t seed) : random_(seed) {}

  bool has_next() const override { return !kept_.empty(); }
  std::optional<Candidate> next() override;
  void learn(const Candidate& candidate, const Lesson& lesson) override;

 private:
  std::uint64_t draw(std::uint64_t below);  // 0 to below - 1

  std::uint64_t random_;
  std::uint64_t drawn_ = 0;
  std::vector<Schedule> kept_;    // as executed, each with a change of thread
  std::uint64_t operations_ = 0;  // of the first run
};

}  // namespace isosan
