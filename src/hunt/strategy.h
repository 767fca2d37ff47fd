// Where the schedules of a hunt come from.
//
// Model: the engine (hunt.cc) asks a strategy for a candidate, runs it, judges the run, and hands
// back what the run showed. A strategy knows no process and no verdict. What fails is the engine's
// affair; a strategy learns from the others.
//
// One strategy, one object; a variant of one is a parameter (strategies.cc has the table).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hunt/candidates.h"
#include "hunt/execution.h"
#include "predict/predictor.h"

namespace isosan {

struct HuntOptions;
struct HuntResult;

// What a run that did not fail has shown.
struct Lesson {
  const Execution& execution;
  bool feasible = true;            // false: it left its schedule, and ended there
  std::uint64_t news = 0;          // ordered pairs that no run before has shown (coverage.h)
  Predictor* predictor = nullptr;  // with the run's events; null: they were not recorded
  Tables* tables = nullptr;        // of that run
  const std::vector<SelectedObject>* shared = nullptr;  // of the first run (shared_use.h)
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  // Empty: nothing is left, or not before another run has shown something.
  virtual std::optional<Candidate> next() = 0;
  virtual bool has_next() const { return true; }  // has next() a candidate?
  virtual void learn(const Candidate&, const Lesson&) {}
  // Candidates that are known and not run.
  virtual std::uint64_t left() const { return 0; }
};

inline constexpr std::string_view kDefaultStrategy = "portfolio";
std::vector<std::string> strategy_names();

// Predicted schedules that are tried are entered into `result`.
std::unique_ptr<Strategy> make_strategy(std::string_view name, const HuntOptions& options,
                                        HuntResult& result);

}  // namespace isosan
