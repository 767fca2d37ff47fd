// The spec file: TOML that names regions, assumptions and suppressions (regions.md).
//
//   [atomic]         functions = ["Account::*"]   classes = ["Pool"]
//   [not-atomic]     functions = [...]            classes = [...]
//   [deterministic]  functions = [...]
//   [assume]         atomic = [...]  mover = [...]  no-warn = [...]  guarded = [...]
//   [[suppress]]     region = "Pool::close"  analysis = "velodrome"  reason = "shutdown only"
//
// Unknown keys are errors: a misspelt rule must not be silently empty.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/finding.h"
#include "event/tables.h"
#include "spec/assumptions.h"
#include "spec/region_rules.h"

namespace isosan {

// Globs, which all have to match. At least one of the first three is in the file.
struct Suppression {
  std::string region = "*";      // the finding's region, or what else it blames (an atomic set)
  std::string class_name = "*";  // whose member the region is, or the class that is blamed
  std::string file = "*";        // where the region is defined: the path, or the end of it
  std::string analysis = "*";
  std::string reason;  // required
  std::uint64_t used = 0;
};

// "region 'Pool::close'", "file 'pool.cc'": what the rule names.
std::string name_of(const Suppression& rule);

struct SpecFile {
  RuleSet rules;
  Assumptions assume;
  std::vector<Suppression> suppressions;
};

// Throws InputError "FILE:LINE: what" for anything it does not understand.
SpecFile read_spec_file(const std::string& path);

bool covers(const Suppression& rule, const std::string& analysis, RegionId region,
            const Tables& tables);

// The first suppression that covers the finding, or nullptr; counts its use.
const Suppression* suppress(std::vector<Suppression>& suppressions, const Finding& finding,
                            const Tables& tables);

}  // namespace isosan
