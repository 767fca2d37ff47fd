// The result of a run of the tool: findings and facts about the run, for JSON and SARIF.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "event/finding.h"
#include "event/stat.h"
#include "report/evidence.h"

namespace isosan {

struct AnalysisStats {
  std::string analysis;
  Stats stats;
};

// A region whose findings are hardly ever bugs: told in one line, if not asked for all.
struct FoldedRegion {
  std::string region;
  std::string why;
};

struct BlindModule {  // loaded but not instrumented
  std::string path;
  bool system = false;  // the C and C++ runtime and our own: blind in every run
};

// Another process of the run, watched and reported by itself.
struct WatchedProcess {
  std::uint64_t number = 0;  // in the order in which they were started
  std::int64_t pid = 0;
  std::string command;
  std::uint64_t findings = 0;
  std::uint64_t threads = 0;
  std::uint64_t unobserved_threads = 0;
  std::string error;     // its log could not be read to the end; empty: it was
  std::string ended_by;  // as in RunRecord
  bool uncontended = false;
  std::vector<FoldedRegion> folded;
  std::vector<std::string> unmatched;
  std::vector<std::string> notes;
  std::string json;   // its report, as json_report() makes it
  std::string sarif;  // and sarif_report()
};

inline constexpr std::string_view kEndedByDeadlock = "deadlock";

struct RunRecord {
  std::string input;              // the trace, or the command that was run
  std::int64_t pid = 0;           // of the process that the rest is about; 0: a trace, or none
  std::uint64_t events = 0;       // read and analysed
  std::uint64_t passed_over = 0;  // --lenient: lines, events and chunks that were left out
  std::string first_passed_over;  // what was wrong with the first of them
  std::string error;              // where the input was damaged; empty: complete
  // The signal that ended the program: "SIGABRT"; or kEndedByDeadlock. Empty: it ended by itself.
  std::string ended_by;
  std::optional<int> exit_status;  // of the program, if it ended by itself
  std::vector<Finding> findings;
  std::vector<FoldedRegion> folded;
  std::set<std::string> told;  // printed while the program ran, by cause (fold.h)
  std::vector<AnalysisStats> analyses;
  Evidence evidence;
  bool quotes_source = false;  // lines of the files that the tables name (source_lines.h)

  bool regions_known = false;         // functions were called: the next two are valid
  std::uint64_t regions_matched = 0;  // functions that the selection chose
  std::uint64_t regions_entered = 0;
  std::vector<std::string> regions_that_waited;  // they count as none from there on
  struct LeftOutFunctions {
    std::string why;   // of one: "lambda"
    std::string text;  // "2 lambdas"
    std::uint64_t count = 0;
  };
  std::vector<LeftOutFunctions> left_out;  // functions that are no regions by heuristic
  // If asked for: each function, and whether it is a region, one line each.
  std::vector<std::string> explained_regions;
  std::vector<BlindModule> blind_modules;
  std::uint64_t racy_transfers = 0;  // 0 with --strict: their order is exact
  std::vector<std::string> notes;    // unused suppressions and the like

  // Of a program that was run.
  std::uint64_t threads = 0;                      // watched
  std::uint64_t unobserved_threads = 0;           // more than the log has room for
  std::vector<std::string> instrumented_modules;  // paths
  bool uncontended = false;                       // known: no transaction met one of another thread
  std::vector<std::string> unmatched;     // what of the selection matches nothing, one line each
  std::vector<WatchedProcess> processes;  // that it started, in that order
  std::vector<std::int64_t> unobserved;   // processes with threads that nobody watched
  std::uint64_t still_running = 0;        // watched, and have not ended yet
  bool joined = false;  // the process is not the first of its run: the run has a report of its own
};

}  // namespace isosan
