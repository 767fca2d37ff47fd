// Findings as workflow commands of GitHub Actions, which shows them beside the source.
//
//   ::error file=src/inventory.cc,line=7,title=IsoSan::shop::Inventory::order is not atomic ...
#pragma once

#include <string>

#include "suite/findings/result.h"

namespace isosan::suite {

// New findings, one line each. Paths are named from `workspace` (GITHUB_WORKSPACE) on.
std::string annotations(const SuiteResult& result, const std::string& workspace);

}  // namespace isosan::suite
