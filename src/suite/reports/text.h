// The result of `isosan test` for a person: pure functions of it.
#pragma once

#include <string>

#include "suite/findings/baseline.h"
#include "suite/findings/result.h"

namespace isosan::suite {

// One finding, from "==================" on; `number` is its place in the list.
std::string finding_text(const MergedFinding& finding, std::size_t number);

// All of it. The last line is the summary.
std::string result_text(const SuiteResult& result);

// "isosan diff": one line each, "+" new, "-" gone, " " in both.
std::string difference_text(const Difference& difference);

}  // namespace isosan::suite
