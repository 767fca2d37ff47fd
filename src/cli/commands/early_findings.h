// Findings of a program that runs on: each is printed about a second after it was made, not at the
// end of the run. A program that ends before that has one report, at its end.
//
// Law: no finding is printed twice. One per blamed region, as in the report (fold.h);
// the report has only one line for what was printed here (RunRecord::told).
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "cli/commands/session.h"
#include "cli/options/region_options.h"
#include "cli/output/reporting.h"
#include "spec/region_stage.h"

namespace isosan {

class EarlyFindings {
 public:
  using Print = std::function<void(const std::string&)>;
  EarlyFindings(const Session& session, RegionStage& stage, Regions& regions,
                const ReportOptions& options, Print print)
      : session_(session),
        stage_(stage),
        regions_(regions),
        options_(options),
        print_(std::move(print)) {}

  void look();  // as often as you like
  // What is not printed yet, and a summary. The record has the facts about the process.
  void tell_so_far(RunRecord record);
  const std::set<std::string>& told() const { return told_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kPatience{1};
  void print_all();

  const Session& session_;
  RegionStage& stage_;
  Regions& regions_;
  const ReportOptions& options_;
  Print print_;
  std::size_t seen_ = 0;                      // findings, so far
  std::optional<Clock::time_point> waiting_;  // since the first that is not printed
  std::set<std::string> told_;
};

}  // namespace isosan
