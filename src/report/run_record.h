// The result of a run of the tool: findings and facts about the run, for JSON and SARIF.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/finding.h"
#include "event/stat.h"
#include "report/evidence.h"

namespace isosan {

struct AnalysisStats {
  std::string analysis;
  Stats stats;
};

struct BlindModule {  // loaded but not instrumented
  std::string path;
  bool system = false;  // the C and C++ runtime and our own: blind in every run
};

struct RunRecord {
  std::string input;              // the trace, or the command that was run
  std::uint64_t events = 0;       // read and analysed
  std::uint64_t passed_over = 0;  // --lenient: lines, events and chunks that were left out
  std::string first_passed_over;  // what was wrong with the first of them
  std::string error;              // where the input was damaged; empty: complete
  std::string ended_by;           // the signal that ended the program: "SIGABRT"; empty: none did
  std::vector<Finding> findings;
  std::vector<AnalysisStats> analyses;
  Evidence evidence;
  bool quotes_source = false;  // lines of the files that the tables name (source_lines.h)

  bool regions_known = false;         // functions were called: the next two are valid
  std::uint64_t regions_matched = 0;  // functions that the selection chose
  std::uint64_t regions_entered = 0;
  std::vector<std::string> regions_that_waited;  // they count as none from there on
  std::vector<BlindModule> blind_modules;
  std::uint64_t racy_transfers = 0;  // 0 with --strict: their order is exact
  std::vector<std::string> notes;    // unused suppressions and the like
};

}  // namespace isosan
