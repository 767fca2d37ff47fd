// What becomes of the result of a suite: files, what is printed, the exit status. For `isosan test`
// and `isosan merge`.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/report_file.h"
#include "suite/findings/baseline.h"
#include "suite/findings/result.h"

namespace isosan {

struct SuiteOutputs {  // paths; empty: not wanted
  std::string json, junit, sarif, html, baseline, new_baseline;

  void declare(CLI::App& parser);
};

// Throws UserError: no test of the whole suite is instrumented. A part of one may have none.
void refuse_uninstrumented(const suite::SuiteResult& result);

class SuiteOutput {
 public:
  // `folder` is where the JSON goes if no path is given. Throws InputError: the baseline.
  SuiteOutput(const SuiteOutputs& paths, std::string folder);

  void open();  // before the work, so that an error in a path costs nothing
  void compare(suite::SuiteResult& result) const;  // with the baseline
  // Prints the result and writes the files.
  void write(const suite::SuiteResult& result, const suite::Json& json);
  int status(const suite::SuiteResult& result) const;

 private:
  SuiteOutputs paths_;
  std::string folder_;
  std::vector<suite::Known> known_;
  std::optional<ReportFile> json_, junit_, sarif_, html_, new_baseline_;  // once they are open
};

}  // namespace isosan
