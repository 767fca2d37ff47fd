// Which arm is next: with samplers that say who they are, and no predictions.
#include "hunt/portfolio.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

class Sampler : public Strategy {
 public:
  explicit Sampler(std::uint64_t name) : name_(name) {}
  std::optional<Candidate> next() override {
    Candidate candidate;
    candidate.request.seed = name_;
    return candidate;
  }

 private:
  std::uint64_t name_;
};

struct Drawn {
  int first = 0, second = 0;
};

// Runs `samples` of two samplers; only the first one shows something new.
Drawn draw(PortfolioOptions options, int runs) {
  HuntOptions hunt;
  HuntResult result;
  std::vector<std::unique_ptr<Strategy>> samplers;
  for (const std::uint64_t name : {1, 2}) samplers.push_back(std::make_unique<Sampler>(name));
  Portfolio portfolio(std::make_unique<PredictedSchedules>(hunt, result), std::move(samplers),
                      options);
  Drawn drawn;
  for (int i = 0; i < runs; ++i) {
    const auto candidate = portfolio.next();
    if (!candidate) break;
    const bool first = candidate->request.seed == 1;
    ++(first ? drawn.first : drawn.second);
    const Execution execution{.status = {}, .schedule = {}};
    portfolio.learn(*candidate, {.execution = execution, .news = first ? 3u : 0u});
  }
  return drawn;
}

TEST(Portfolio, WhatShowsSomethingNewGetsMoreAndNothingStarves) {
  const Drawn drawn = draw({.samples = 100}, 100);
  EXPECT_GT(drawn.first, 3 * drawn.second);
  EXPECT_GT(drawn.second, 5);
}

TEST(Portfolio, WithoutScoresTheSamplersTakeTurns) {
  const Drawn drawn = draw({.by_score = false, .samples = 10}, 10);
  EXPECT_EQ(drawn.first, 5);
  EXPECT_EQ(drawn.second, 5);
}

TEST(Portfolio, EndsWithItsSamples) {
  const Drawn drawn = draw({.samples = 7}, 100);
  EXPECT_EQ(drawn.first + drawn.second, 7);
}

TEST(Strategies, EachNameOfTheTableMakesOne) {
  HuntOptions hunt;
  HuntResult result;
  for (const std::string& name : strategy_names()) {
    EXPECT_NE(make_strategy(name, hunt, result), nullptr) << name;
  }
}

}  // namespace
}  // namespace isosan
