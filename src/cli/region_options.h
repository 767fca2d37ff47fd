// The options that say which code should be atomic, the same for check, run and record
// (docs/regions.md).
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "event/tables.h"
#include "report/run_record.h"
#include "spec/region_rules.h"
#include "spec/spec_file.h"

namespace isosan {

struct RegionOptions {
  RuleSet command_line;
  std::string heuristic;  // empty: the default
  std::string spec;       // path; empty: none

  void declare(CLI::App& parser);
  void without_heuristic() {  // unless one was asked for
    if (heuristic.empty()) heuristic = "annotated";
  }
  bool given() const {
    return command_line.names_regions() || !command_line.not_atomic.empty() || !spec.empty() ||
           !heuristic.empty();
  }
};

// The options, read: rules for functions, suppressions for findings.
class Regions {
 public:
  explicit Regions(const RegionOptions& options);  // throws InputError: the spec file

  const RegionRules& rules() const { return rules_; }
  void only_deterministic_count() { rules_.only_deterministic_count(); }

  // Throws UserError if a glob matches no function of the program.
  void refuse_unmatched(const Tables& tables) const;

  // Takes the suppressed findings out of the record.
  void apply_suppressions(RunRecord& record, const Tables& tables);
  std::vector<std::string> unused_suppressions() const;  // one line each

 private:
  SpecFile spec_;
  RegionRules rules_;
};

}  // namespace isosan
