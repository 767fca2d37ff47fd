// The one table of analyses: --analysis, its help, its error message and cli.md are made from
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

// What an analysis needs in the program's log and in its events.
struct Needs {
  bool units = false;         // every call may be a unit of work: the log must have them all
  bool every_access = false;  // repeated ones, too: two unprotected reads are a window
  bool dependences = false;   // the runtime's markers beside the events
  bool nested = false;        // calls inside a region and nested regions
  bool blocks = false;        // its transactions are deterministic regions, not atomic ones
  bool cycles = false;        // nothing but transactions that may be in a cycle
  bool races = false;         // of plain accesses, none but those that may race
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

// The needs of several analyses: of at least one, and of every one.
struct JointNeeds {
  Needs some;
  Needs each;
};
JointNeeds needs_of(std::string_view list);

// Leaves out events that no analysis needs, and keeps walks whole if all allow it.
void leave_out_unneeded(RegionStage& stage, const JointNeeds& needs);

// The table for --help.
std::string analyses_help();

}  // namespace isosan
