// A whole suite: every test watched, then those with threads hunted, several at one time.
//
// Model: two phases, so that the budget of the hunts is shared by what the watched runs showed
// (budget.h). Each phase is a list of tests that a few threads work off; the steps of a test run in
// processes of their own (steps.h), so nothing is shared but this list. When `stop` is set what runs
// is ended, and the result is that of what was done.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <vector>

#include "suite/findings/result.h"
#include "suite/run/options.h"
#include "suite/tests/test_case.h"

namespace isosan::suite {

enum class Step { kWatched, kHunted, kCached };

struct SuiteEvent {  // a step of a test is done
  Step step{};
  const TestResult* test = nullptr;
  std::vector<std::string> failures;  // that the step has brought
  std::size_t seen = 0;               // findings of the watched run
  std::size_t done = 0, total = 0;    // steps of this phase
  std::size_t findings = 0;           // so far, not merged
  std::size_t contended = 0;          // tests whose threads met, so far
  std::chrono::seconds left{0};       // of the whole run, estimated
};

// `report` is called for one event at a time.
SuiteResult run_suite(const std::vector<TestCase>& tests, const WorkOptions& options,
                      const std::atomic<bool>& stop,
                      const std::function<void(const SuiteEvent&)>& report);

}  // namespace isosan::suite
