// The options that say which code should be atomic, the same for check, run and record
// (regions.md).
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "event/tables.h"
#include "report/run_record.h"
#include "spec/region_rules.h"
#include "spec/spec_file.h"

namespace isosan {

struct RegionOptions {
  RuleSet command_line;
  std::string heuristic;                      // empty: the default
  std::string spec;                           // path; empty: none
  bool explain = false;                       // the report lists all functions
  std::shared_ptr<const SpecFile> spec_file;  // what it says, once it is read

  void declare(CLI::App& parser);
  void read_spec();           // once, for all processes of a run. Throws InputError
  void without_heuristic() {  // unless the user chose one
    if (heuristic.empty()) heuristic = "annotated";
  }
  bool given() const { return command_line.any() || !spec.empty() || !heuristic.empty(); }
};

struct RecordingNeeds {
  bool only_cycles = false;  // transactions that can be in no cycle need not be in it
  // Units of work (marathon) cannot be selected like regions: every edge must have been logged,
  // ...
  bool every_edge = false;
  // ... or the recording is one for these units or more of them (unit_calls.h). Empty: not enough.
  std::vector<SelectionRule> units;
};

// The parsed options: rules for functions, suppressions for findings.
class Regions {
 public:
  explicit Regions(const RegionOptions& options);  // throws InputError: the spec file

  const RegionRules& rules() const { return rules_; }
  // Do the options select regions, or is it the default? (A spec file may hold only suppressions.)
  bool select() const { return select_; }
  bool explains() const { return explains_; }
  void only_deterministic_count() { rules_.only_deterministic_count(); }

  // Takes over the selection that a trace was recorded for. Throws
  // UserError if the options select another one, or if no selection is enough.
  void settle_with_recording(const Tables& tables, const RecordingNeeds& needs);

  // What of the options matches nothing in the program, one line each.
  std::vector<std::string> unmatched(const Tables& tables) const;
  // The same before the program runs, as far as it can be known then (regions.md): throws
  // UserError if a glob certainly matches no function of it.
  void refuse_unmatched_before(const std::string& program) const;
  // Throws UserError with the first of them.
  void refuse_unmatched(const Tables& tables) const;

  // Removes the suppressed findings from the record.
  void apply_suppressions(RunRecord& record, const Tables& tables);
  bool suppresses(const std::string& analysis, RegionId region, const Tables& tables) const;
  std::vector<std::string> unused_suppressions() const;  // one line each

 private:
  SpecFile spec_;
  RegionRules rules_;
  bool select_ = false;
  bool explains_ = false;
};

}  // namespace isosan
