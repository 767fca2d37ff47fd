// What a run of the tool tells about itself beside its findings: the input of JSON and SARIF.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/finding.h"
#include "event/stat.h"

namespace isosan {

struct AnalysisStats {
  std::string analysis;
  Stats stats;
};

struct RunRecord {
  std::string input;              // the trace, or the command that was run
  std::uint64_t events = 0;       // read and analysed
  std::uint64_t passed_over = 0;  // --lenient: lines, events and chunks that were left out
  std::string first_passed_over;  // what was wrong with the first of them
  std::string error;              // where the input was damaged; empty: complete
  std::vector<Finding> findings;
  std::vector<AnalysisStats> analyses;
};

}  // namespace isosan
