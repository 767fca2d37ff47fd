// The one table of analyses: --analysis, its help, its error message and docs/cli.md are made of
// it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/any_analysis.h"
#include "spec/region_stage.h"

namespace isosan {

// What an analysis needs of the program's log and of the events made of it.
struct Needs {
  bool units = false;         // every call may be a unit of work: the log must have them all
  bool every_access = false;  // a repeat counts, too: two unprotected reads are a window
  bool dependences = false;   // the runtime's markers beside the events
  bool nested = false;        // what is called inside a region matters, and nested regions do
  bool blocks = false;        // its transactions are deterministic regions, not atomic ones
  bool cycles = false;        // nothing but transactions that may be in a cycle
};

struct AnalysisEntry {
  std::string_view name;
  std::string_view help;
  std::unique_ptr<AnyAnalysis> (*make)(const AnalysisOptions&);
  Needs needs;
};

std::span<const AnalysisEntry> analyses();

inline constexpr std::string_view kDefaultAnalysis = "velodrome";

// "velodrome,fasttrack": each once, in this order. Throws UserError for a name that is not in the
// table.
std::vector<const AnalysisEntry*> analyses_named(std::string_view list);

// What several analyses need together: some of them, and each of them.
struct JointNeeds {
  Needs some;
  Needs each;
};
JointNeeds needs_of(std::string_view list);

// What none of them needs is left out of the events, or kept whole.
void leave_out_unneeded(RegionStage& stage, const JointNeeds& needs);

// The table for --help.
std::string analyses_help();

}  // namespace isosan
