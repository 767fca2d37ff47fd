// Putting results of shards together, for `isosan merge` and campaigns.
#pragma once

#include <string>
#include <vector>

#include "cli/output/suite_output.h"

namespace isosan {

struct MergeArguments {
  std::vector<std::string> results;
  std::string output = "isosan-merged";
  SuiteOutputs outputs;
};

// Returns the exit status. Throws UserError: they do not belong together.
int merge_results(const MergeArguments& arguments);

}  // namespace isosan
