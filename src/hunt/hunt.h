// Hunt: finds a schedule in which the program fails, confirms and minimises it (Penelope, FSE
// 2010).
//
// Model: candidates come from a strategy (strategy.h): predicted from an observed run, by chance, or
// both. Each is forced and judged. A failing one is run again, minimised, and replayed ten times;
// only then it is a finding. The saved schedule of a finding fails every time.
//
// Not here: what is printed, and where files go (cli/commands/hunt.cc).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/shard.h"
#include "event/finding.h"
#include "event/tables.h"
#include "hunt/candidates.h"
#include "hunt/corpus_session.h"
#include "hunt/execution.h"
#include "hunt/serial.h"
#include "hunt/story.h"
#include "hunt/strategy.h"
#include "predict/prediction.h"
#include "spec/region_rules.h"

namespace isosan {

// The columns of Penelope's Table 1, and a few of ours. Where every prediction is run: predicted =
// in_observed_run + infeasible + feasible, and feasible = passed + failed (but for observed runs).
struct HuntCounts {
  std::uint64_t observed = 0;
  std::uint64_t predicted = 0;
  std::uint64_t in_observed_run = 0;
  std::uint64_t infeasible = 0;
  std::uint64_t feasible = 0;
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;         // observed runs that failed, too
  std::uint64_t again = 0;          // in another shape (candidates.h): apart from those above
  std::uint64_t again_failed = 0;   // of them
  std::uint64_t unconfirmed = 0;    // failed, but not again
  std::uint64_t executions = 0;     // without observed ones, and those of confirming and minimising
  std::uint64_t first_failure = 0;  // the run that failed first, observed ones counted; 0: none
  std::uint64_t left = 0;           // predicted schedules not run
  std::uint64_t pairs = 0;          // ordered pairs of conflicting operations seen (coverage.h)
};

// A predicted schedule, and the outcome of its run.
enum class Verdict { kObserved, kNotRun, kInfeasible, kPassed, kFailed };
struct TriedSchedule {
  Prediction prediction;
  std::shared_ptr<const Tables> tables;  // of the run that it was predicted from
  Shape shape;
  Verdict verdict = Verdict::kNotRun;
  std::string why;  // why it was infeasible
};

inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

struct HuntOptions {
  Harness harness;
  std::string strategy{kDefaultStrategy};
  std::chrono::seconds budget{60};
  std::uint64_t max_schedules = kNoLimit;
  bool all = false;  // continue after the first finding
  unsigned jobs = 1;
  unsigned observe = 300;  // runs to predict from, one after the other, while nothing is found
  std::uint64_t seed = 1;
  Shard shard;         // all observed runs, and of what they make one try: this part
  std::string corpus;  // a folder (corpus.h); empty: none
  unsigned replays = 10;
  bool keeps_tried = false;  // fill HuntResult::tried
  const RegionRules* rules = nullptr;
  bool threads_are_regions = true;                  // a whole thread is one region, too
  bool loops = false;                               // and iterations of loops are
  std::function<void(const Tables&)> check_tables;  // of the first run; may throw; may be empty
  std::function<void(const HuntCounts&)> progress;  // called after runs; may be empty
};

// A schedule in which the program fails, confirmed.
struct ConfirmedFailure {
  Schedule schedule;  // minimised, with build ids and notes
  Failure failure;
  std::uint64_t changes = 0;           // of thread, in the minimised run
  std::uint64_t changes_at_first = 0;  // in the run that failed first
  unsigned replays = 0;                // all of them failed in the same way
  std::string errors;                  // what the program wrote to stderr
  std::string output;                  // and to stdout
  LineDifference differs;              // from serial runs; FailureKind::kSerial
  bool in_observed_run = false;        // an observed run failed
  std::uint64_t order = 0;             // candidates before it, of all shards
  std::string key;                     // the same failure at the same places has the same
  Story story;
  Finding finding;
  Tables tables;
};

struct HuntResult {
  HuntCounts counts;
  std::vector<ConfirmedFailure> found;
  std::vector<TriedSchedule> tried;  // if HuntOptions::keeps_tried
  std::string cannot;                // why the program cannot be hunted; empty: it can
  bool nothing_seen = false;         // that is why: its first run was ended before any access
  bool optimised = false;            // compiled so; a build at -O0 may have more operations
  // A replay of the first observed run was not the same run: where they diverge, and what the
  // program depends on.
  std::string diverged;
  std::uint32_t fixed = 0;  // of log::World: because of that, besides those of the harness
  std::vector<std::string>
      unconfirmed;                     // runs that failed but were not confirmed: how, and why not
  std::string stopped;                 // why not everything was tried; empty: it was
  std::vector<std::string> build_ids;  // of the instrumented modules
  CorpusUse corpus;
};

HuntResult hunt(const HuntOptions& options);

}  // namespace isosan
