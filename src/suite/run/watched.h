// What the steps of a test leave behind, read from the reports of `isosan run` and `isosan hunt`
// (json.md): pure functions of those reports.
#pragma once

#include <string>
#include <vector>

#include "suite/findings/merge.h"
#include "suite/findings/result.h"
#include "suite/run/process.h"
#include "suite/tests/test_case.h"

namespace isosan::suite {

inline constexpr int kNothingSeen = 68;  // of isosan run; of isosan hunt: in its first run
inline constexpr int kCannot = 2;

// The step before the summary on stderr that says why isosan could not: without "isosan: ".
std::string complaint(const std::string& errors);

// Fills in the verdict, threads and contention; `report` is null if there is none. The threads are
// those of the first process that is instrumented: a hunt follows that one.
void read_watch(TestResult& result, const TestCase& test, const Json& report,
                const ProcessOutcome& outcome);
std::vector<Sighting> sightings_of(const std::string& test, const Json& report);

// Paths of the instrumented programs and libraries that took part.
std::vector<std::string> modules_of(const Json& report);

// Failures, without explanations yet.
std::vector<Sighting> failures_of(const TestCase& test, const Json& report);
std::uint64_t schedules_of(const Json& report);
bool tried_all(const Json& report);  // or has found a failure

}  // namespace isosan::suite
