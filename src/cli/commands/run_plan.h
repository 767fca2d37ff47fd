// How `isosan run` and `isosan record` work, decided from the command line before the program starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/commands/run_processes.h"
#include "cli/options/analyses.h"
#include "cli/options/doublechecker_options.h"
#include "cli/options/noise_option.h"
#include "cli/options/order_option.h"
#include "cli/options/region_options.h"
#include "cli/output/reporting.h"
#include "live/shared_log.h"

namespace isosan {

struct RunOptions {
  std::vector<std::string> command;
  AnalysisOptions analyses;
  std::string sync_edges = "on";
  bool strict = false;
  bool no_quiet = false;
  DoubleCheckerFlags doublechecker;
  NoiseOption noise;
  OrderOption order;
  RegionOptions regions;
  ReportOptions report;
  std::string output;             // record: the trace
  bool full = false;              // every operation, repeats included
  bool units = false;             // record: for marathon alone
  bool ends_deadlocks = false;    // run: ends a program whose threads wait for each other
  bool allow_unobserved = false;  // run: the program goes on where there is no room for the shadow
  RunProcesses processes;
};

SharedLogOptions log_options(const RunOptions& options);

bool is_built_for_runtime(const std::string& path);  // the program needs the runtime's symbols

// Bytes that an exact analysis may keep about memory while the program runs.
inline constexpr std::uint64_t kMostLocations = 128u << 20;

// When a run is analysed.
enum class Analysed : std::uint8_t {
  kLive,      // while the program runs
  kByRaces,   // after its end, from racing accesses only (singletrack, fasttrack)
  kByShared,  // after its end, from accesses to words shared in no fixed order (atomizer)
};

struct RunPlan {
  explicit RunPlan(const RunOptions& options);

  JointNeeds needs;
  Analysed analysed;
  SharedLogOptions log;
  bool only_deterministic;  // only deterministic regions count
  bool by_heuristic;        // the heuristic chooses regions if no rule does
  bool dependences;         // the runtime's markers are passed on

  // The runtime knows regions of functions and blocks. For others every operation is logged.
  void look_at(const RegionRules& rules);

  // The rules by which the runtime recognizes regions; null: it logs every call.
  const RegionRules* rules_of(const Regions& regions) const {
    return needs.some.units ? nullptr : &regions.rules();
  }
  bool nested() const { return log.mode == log::Mode::kFull || log.locksets; }
};

}  // namespace isosan
