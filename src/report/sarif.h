// The report for code-scanning services: SARIF 2.1.0 (OASIS).
//
// Model: one run for each process, one rule per kind of finding, one result per finding. A result's code flow has
// one thread flow per thread; executionOrder carries the interleaving across them. A place without
// a file becomes a logical location alone.
#pragma once

#include <string>
#include <string_view>

#include "event/tables.h"
#include "report/run_record.h"

namespace isosan {

std::string sarif_report(const RunRecord& run, const Tables& tables, std::string_view version);

}  // namespace isosan
