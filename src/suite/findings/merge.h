// Findings of many tests, one for each cause.
//
// Model: a sighting is one finding in one test: seen while the test passed, or the reason why it
// failed in a schedule that was forced. A failure comes with explanations: what the analyses say of
// that very run. The cause of a failure is named by the first of them that names anybody, exact
// analyses first; explanations that are about something else are dropped, since nothing shows that
// they have to do with the failure.
//
// Law: two sightings are one finding if their causes are equal. In one test, what was seen about
// the data of a failure belongs to that failure.
#pragma once

#include <string>
#include <vector>

#include "suite/findings/cause.h"

namespace isosan::suite {

struct Sighting {
  std::string test;
  Json finding;
  // Of a failure that was forced; empty otherwise.
  std::vector<Json> explanations;
  std::string failure;   // "exit status 1"
  std::string schedule;  // the file
  std::string replay;    // the command

  bool failed() const { return !failure.empty(); }
};

struct TestOfFinding {
  std::string test;
  std::string failure, schedule, replay;  // as above
};

struct MergedFinding {
  Cause cause;
  bool is_new = true;  // not in the baseline
  std::vector<TestOfFinding> tests;
  std::vector<Json> evidence;  // of the first test that shows it best; what names the cause first

  bool proved() const { return !tests.empty() && !tests.front().failure.empty(); }
};

// Those that make tests fail first, then by the number of tests, then by name.
std::vector<MergedFinding> merge(const std::vector<Sighting>& sightings);

}  // namespace isosan::suite
