// The report for programs. json.md describes it, isosan.schema.json is its schema.
#pragma once

#include <string>

#include "event/tables.h"
#include "report/run_record.h"

namespace isosan {

inline constexpr int kJsonVersion = 1;

std::string json_report(const RunRecord& run, const Tables& tables);

}  // namespace isosan
