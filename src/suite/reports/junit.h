// The result as JUnit XML, which continuous-integration services show.
//
// Model: one test case for each test. A new finding that it shows is a failure, and so is that it
// fails by itself and shows none; what isosan could not watch is an error; what did not run, or is
// not instrumented, was skipped.
#pragma once

#include <string>

#include "suite/findings/result.h"

namespace isosan::suite {

std::string junit_report(const SuiteResult& result);

}  // namespace isosan::suite
