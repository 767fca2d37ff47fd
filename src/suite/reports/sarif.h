// The result for code-scanning services: SARIF 2.1.0 (OASIS).
//
// Model: one run, one rule for each kind of cause, one result for each finding. Where a viewer puts
// it is the first access that the finding is about; the others are a code flow. The fingerprint is
// the cause, which does not change when lines do.
#pragma once

#include <string>
#include <string_view>

#include "suite/findings/result.h"

namespace isosan::suite {

std::string sarif_report(const SuiteResult& result, std::string_view version);

}  // namespace isosan::suite
