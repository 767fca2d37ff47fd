// Facts about the whole run for its report: regions, uninstrumented modules, suppressions.
#pragma once

#include "cli/options/region_options.h"
#include "event/tables.h"
#include "report/run_record.h"
#include "spec/region_stage.h"

namespace isosan {

// Fills in the record's facts about the run.
void describe_run(RunRecord& record, const RegionStage& stage, const Regions& regions);

// At its end: the same, and resolves the places that its findings and their evidence name.
void summarize_run(RunRecord& record, RegionStage& stage, const Regions& regions);

// The places that the record's findings and their evidence name.
void resolve_places_of(const RunRecord& record, Tables& tables);

// Of a run of velodrome: no transaction depends on another. (Through the __tsan_* front the
// runtime's transactions are larger than those, and meet more often.)
bool has_no_dependence(const RunRecord& record);

}  // namespace isosan
