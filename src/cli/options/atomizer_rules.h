// What the user says to atomizer by spec file and in the source: lines without warnings, and regions
// whose findings are not shown.
#pragma once

#include "analysis/atomizer/options.h"
#include "cli/options/region_options.h"
#include "event/tables.h"

namespace isosan {

// `regions` and `tables` must outlive the analysis. reads_source: a comment /*# no_warn */ counts.
void tell_atomizer(const Regions& regions, const Tables& tables, bool reads_source,
                   AtomizerOptions& options);

}  // namespace isosan
