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

TEST(Portfolio, EndsWhenManyRunsInARowShowNothingNew) {
  HuntOptions hunt;
  HuntResult result;
  std::vector<std::unique_ptr<Strategy>> samplers;
  samplers.push_back(std::make_unique<Sampler>(1));
  Portfolio portfolio(std::make_unique<PredictedSchedules>(hunt, result), std::move(samplers),
                      {.samples = 1000, .most_in_vain = 20});
  const Execution execution{.status = {}, .schedule = {}};
  int runs = 0;
  while (const auto candidate = portfolio.next())
    portfolio.learn(*candidate, {.execution = execution, .news = ++runs == 50 ? 1u : 0u});
  EXPECT_EQ(runs, 20);
}

// Predictions of one pair of places: T1 reads and then T0 writes, once in each observed run.
class Predictions : public testing::Test {
 protected:
  Predictions() {
    tables_.threads.resize(2);
    tables_.threads[0].birth_path = "0", tables_.threads[1].birth_path = "0.0";
    tables_.sites.resize(2);
    tables_.sites[1].line = 7;
  }

  // As if another run had been observed.
  void observe() {
    Predictor predictor(tables_);
    const auto event = [](std::uint32_t thread, Kind kind, std::uint32_t site) {
      return Event{
          .kind = kind, .thread = ThreadId{thread}, .address = 64, .size = 8, .site = SiteId{site}};
    };
    const std::vector<Event> events = {event(0, Kind::kWrite, 0), event(1, Kind::kRead, 1)};
    predictor.feed(events);
    predicted_.add(predictor, tables_, {});
  }

  Tables tables_;
  HuntOptions hunt_;
  HuntResult result_;
  PredictedSchedules predicted_{hunt_, result_};
};

TEST_F(Predictions, AreDroppedWhereRunsShowNothingNew) {
  observe();
  ASSERT_GT(predicted_.size(), 0u);
  const auto first = predicted_.next(PredictedSchedules::kFresh);
  for (int i = 0; i < 8; ++i) predicted_.learn(*first, 0);
  EXPECT_EQ(predicted_.size(), 0u);
  observe();
  EXPECT_EQ(predicted_.size(), 0u);
}

TEST_F(Predictions, StayWhereOneShowsSomething) {
  observe();
  const auto first = predicted_.next(PredictedSchedules::kFresh);
  for (int i = 0; i < 20; ++i) predicted_.learn(*first, i % 4 == 0 ? 1 : 0);
  EXPECT_GT(predicted_.size(), 0u);
}

TEST_F(Predictions, AllOfThemStayWithAll) {
  hunt_.all = true;
  observe();
  const auto first = predicted_.next(PredictedSchedules::kFresh);
  for (int i = 0; i < 20; ++i) predicted_.learn(*first, 0);
  EXPECT_GT(predicted_.size(), 0u);
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
