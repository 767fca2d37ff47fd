// The table of strategies, by name.
#include "base/check.h"
#include "hunt/mutation.h"
#include "hunt/portfolio.h"
#include "hunt/sampling.h"
#include "hunt/strategy.h"

namespace isosan {
namespace {

// One way of sampling, or predictions and several of them.
struct Entry {
  std::string_view name;
  std::vector<Sampled> sampled;
  bool predicts = false;
  bool mutates = false;
  PortfolioOptions options;
};

const std::vector<Entry>& table() {
  using enum Sampled;
  static const std::vector<Entry> entries = {
      {"portfolio", {kSurw}, true, true, {}},
      {"penelope", {kPct, kRandom}, true, false, {.chains = false, .by_score = false}},
      {"pct", {kPct}, false, false, {}},
      {"random", {kRandom}, false, false, {}},
      {"pos", {kPos}, false, false, {}},
      {"surw", {kSurw}, false, false, {}},
      {"stress", {kStress}, false, false, {}},
  };
  return entries;
}

}  // namespace

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const Entry& entry : table()) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<Strategy> make_strategy(std::string_view name, const HuntOptions& options,
                                        HuntResult& result) {
  for (const Entry& entry : table()) {
    if (entry.name != name) continue;
    std::vector<std::unique_ptr<Strategy>> samplers;
    for (const Sampled how : entry.sampled) {
      samplers.push_back(std::make_unique<Sampling>(how, options.seed, entry.predicts));
    }
    if (entry.mutates) samplers.push_back(std::make_unique<Mutation>(options.seed));
    if (!entry.predicts) return std::move(samplers.front());
    PortfolioOptions portfolio = entry.options;
    portfolio.samples = options.observe - 1;  // the first run is one of them
    portfolio.chains &= options.observe > 1;
    return std::make_unique<Portfolio>(std::make_unique<PredictedSchedules>(options, result),
                                       std::move(samplers), portfolio);
  }
  check_failed("a strategy of the table", __FILE__, __LINE__);
}

}  // namespace isosan
