// How findings are output: options, files and exit status, the same for every command that
// analyses.
//
// Law: the text report goes to one stream, ends in the SUMMARY line, and is written before the line
// on stderr about damaged input. Output files are opened before the work begins, so that an
// error in a path costs no analysis.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <cstdio>
#include <string>

#include "cli/options/report_file.h"
#include "cli/output/exit_status.h"
#include "event/tables.h"
#include "report/run_record.h"

namespace isosan {

struct ReportOptions {
  std::string json;  // paths; empty: not wanted
  std::string sarif;
  int exit_code = kExitFindings;
  bool stats = false;
  bool first = false;
  bool all = false;                // each cycle, not one per region
  std::uint64_t max_findings = 0;  // of each analysis; 0: all

  void declare(CLI::App& parser);
  void name_files(const std::string& program);  // what %p, %n and %t stand for (report_path.h)
  std::uint64_t limit() const { return first ? 1 : max_findings; }
};

class Reporter {
 public:
  // Throws UserError: cannot write there, or it would overwrite the input.
  Reporter(const ReportOptions& options, std::FILE* text, const std::string& input = {});

  // Prints and writes everything; returns the exit status.
  int report(const RunRecord& run, const Tables& tables);

 private:
  void print_text(const RunRecord& run, const Tables& tables);

  const ReportOptions& options_;
  std::FILE* text_;
  ReportFile json_;
  ReportFile sarif_;
};

}  // namespace isosan
