// The result of `isosan test`: its tests and its findings, and the JSON file that holds it.
//
// Law: read_result(to_json(r)) gives r again.
#pragma once

#include <string>
#include <vector>

#include "suite/findings/merge.h"

namespace isosan::suite {

inline constexpr int kResultVersion = 1;

enum class Verdict {
  kPassed,
  kFailed,           // without any help
  kHangs,            // longer than its limit
  kSkipped,          // by itself
  kNotInstrumented,  // nothing of it is
  kError,            // isosan could not watch it
  kNotRun,           // the run was ended before
};
std::string_view id_of(Verdict verdict);

struct TestResult {
  std::string name;
  std::vector<std::string> command;
  Verdict verdict = Verdict::kNotRun;
  std::string note;                 // what it said: a signal, an exit status, an error
  std::vector<std::string> output;  // the telling lines of what it wrote, where it does not pass
  std::uint64_t threads = 0;
  bool contended = false;
  bool hunted = false;
  bool unchanged = false;       // what is known of it, or of its hunt, is from an earlier run
  std::uint64_t schedules = 0;  // that were tried
  double seconds = 0;
};

struct SuiteResult {
  bool complete = true;   // false: the run was ended before all was done
  bool selected = false;  // only some of the tests were asked for; not in the file
  double seconds = 0;
  std::vector<TestResult> tests;
  std::vector<MergedFinding> findings;
  std::vector<Cause> gone;          // in the baseline, and not found any more
  std::vector<Sighting> sightings;  // of which the findings are made; not in the file

  bool is_part() const { return !complete || selected; }
  std::uint64_t new_findings() const;
  bool shows_finding(const std::string& test) const;
  bool fails_when_hunted(const std::string& test) const;
};

Json to_json(const TestResult& test);
TestResult test_result_in(const Json& json);  // throws Json::exception
Json to_json(const SuiteResult& result);
SuiteResult read_result(const std::string& path);  // throws InputError
SuiteResult result_in(const Json& json);           // throws Json::exception

}  // namespace isosan::suite
