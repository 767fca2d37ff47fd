// The baseline: findings that are known, kept in the repository, as TOML that people read and edit.
//
//   [[known]]
//   kind = "atomicity"
//   function = "shop::Inventory::order"
//   of = "shop::Inventory"
//   reason = "sold out by design; ticket 17"     # optional
//
// Law: it holds causes only (cause.h), so that it means the same after a recompilation and after
// edits elsewhere.
#pragma once

#include <string>
#include <vector>

#include "suite/findings/result.h"

namespace isosan::suite {

struct Known {
  Cause cause;
  std::string reason;
};
std::vector<Known> read_baseline(const std::string& path);  // throws InputError with file and line

// The text of the file: what was found, with the reasons that were known. What tests that did not
// run may show stays in it.
std::string baseline_of(const SuiteResult& result, const std::vector<Known>& known = {});

// Marks what is known, and notes what is gone. What tests that did not run may show is not gone.
void compare(SuiteResult& result, const std::vector<Known>& known);

struct Difference {
  std::vector<Cause> gone, stayed, added;
};
Difference difference(const SuiteResult& before, const SuiteResult& after);

}  // namespace isosan::suite
