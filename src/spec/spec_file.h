// The spec file: TOML that names regions, assumptions and suppressions (docs/regions.md).
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

struct Suppression {
  std::string region;    // glob over the finding's region, or what else it blames (an atomic set)
  std::string analysis;  // glob; "*" where the file has none
  std::string reason;    // required
  std::uint64_t used = 0;
};

struct SpecFile {
  RuleSet rules;
  Assumptions assume;
  std::vector<Suppression> suppressions;
};

// Throws InputError "FILE:LINE: what" for anything it does not understand.
SpecFile read_spec_file(const std::string& path);

bool covers(const Suppression& rule, const std::string& analysis, const std::string& region);

// The first suppression that covers the finding, or nullptr; counts its use.
const Suppression* suppress(std::vector<Suppression>& suppressions, const Finding& finding,
                            const Tables& tables);

}  // namespace isosan
