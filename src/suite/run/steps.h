// The three steps of a test, each a run of isosan: watch it, hunt it, explain what failed.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "suite/findings/merge.h"
#include "suite/findings/result.h"
#include "suite/run/options.h"
#include "suite/run/process.h"
#include "suite/tests/test_case.h"

namespace isosan::suite {

// A test and what is known of it so far.
struct Progressing {
  const TestCase* test = nullptr;
  std::string file;    // where its reports go, without the ending
  std::string corpus;  // where schedules of its hunts are kept; empty: nowhere
  TestResult result;
  std::vector<std::string> modules;  // instrumented, that took part
  std::vector<Sighting> seen;        // in the watched run
  std::vector<Sighting> failures;    // of the hunt
  bool hunt_done = false;            // not cut short
};

class Steps {
 public:
  Steps(const WorkOptions& options, const std::atomic<bool>& stop)
      : options_(options), stop_(stop) {}

  void watch(Progressing& one) const;
  // Explains, too. `cpu`: the processor that its runs may use.
  void hunt(Progressing& one, std::chrono::seconds budget, int cpu) const;

 private:
  ProcessOutcome isosan(const TestCase& test, std::vector<std::string> words,
                        std::chrono::milliseconds limit, int cpu) const;
  void explain(const Progressing& one, Sighting& failure, int cpu) const;
  double limit_of(const TestCase& test) const;

  const WorkOptions& options_;
  const std::atomic<bool>& stop_;
};

}  // namespace isosan::suite
