// The options of --analysis doublechecker, the same for run and check (doublechecker.md).
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "analysis/doublechecker/options.h"
#include "cli/options/analysis_options.h"
#include "event/tables.h"
#include "spec/access_filter.h"

namespace isosan {

struct DoubleCheckerFlags {
  std::string mode = "single";
  std::string suspects;     // path
  std::string second_with;  // empty: doublechecker
  bool always_unary = false;
  std::string arrays = "on";
  std::string without;  // empty: nothing is left out

  void declare(CLI::App& parser);
  bool pcd_only() const { return mode == "pcd-only"; }
};

// In a second run only transactions of suspects are counted. `tables` must outlive the analysis.
void count_suspects(const AccessFilterOptions& filter, const Tables& tables,
                    DoubleCheckerOptions& options);

// The parsed options. A first run's suspects are collected here and written by finish().
class DoubleCheckerRun {
 public:
  // Sets the options of `analyses` for the mode. Throws UserError: options that contradict each
  // other; InputError: the suspects file.
  DoubleCheckerRun(const DoubleCheckerFlags& flags, AnalysisOptions& analyses);

  bool is_first() const { return flags_.mode == "first"; }
  const AccessFilterOptions& filter() const { return filter_; }
  const SuspectedNames* suspects() const {  // a second run's; else null
    return filter_.suspects ? &*filter_.suspects : nullptr;
  }

  // After a first run: merges the suspects into the file and says so on stderr.
  void finish(const Tables& tables) const;

 private:
  const DoubleCheckerFlags flags_;
  AccessFilterOptions filter_;
  Suspects found_;
};

}  // namespace isosan
