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

struct AnalysisEntry {
  std::string_view name;
  std::string_view help;
  std::unique_ptr<AnyAnalysis> (*make)(const AnalysisOptions&);
  bool units = false;         // every call may be a unit of work: the log must tell them apart
  bool every_access = false;  // a repeat counts, too: two unprotected reads are a window
  bool dependences = false;   // the runtime's markers beside the events
  bool nested = false;        // what is called inside a region matters, and nested regions do
  bool blocks = false;        // its transactions are deterministic regions, not atomic ones
};

std::span<const AnalysisEntry> analyses();

inline constexpr std::string_view kDefaultAnalysis = "velodrome";

// "velodrome,fasttrack": each once, in this order. Throws UserError for a name that is not in the
// table.
std::vector<const AnalysisEntry*> analyses_named(std::string_view list);

// Is every call a unit of work to one of them? To all: then nobody asks for regions.
bool wants_units(std::string_view list);
bool wants_every_access(std::string_view list);
bool wants_dependences(std::string_view list);
bool wants_only_units(std::string_view list);
bool wants_only_blocks(std::string_view list);
bool wants_only_every_access(std::string_view list);

// What none of them asks for is left out of the events, or kept whole.
void leave_out_unwanted(RegionStage& stage, std::string_view list);

// The table for --help.
std::string analyses_help();

}  // namespace isosan
