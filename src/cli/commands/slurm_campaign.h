// A command as a campaign on Slurm: submitted, watched and merged (large-suites.md).
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/output/suite_output.h"

namespace isosan {

struct SlurmOptions {
  std::optional<std::string> options;  // of sbatch; none: not wanted
  std::uint64_t shards = 16;
  bool resume = false;  // a result that is there stays; only what is missing is submitted
  const CLI::App* parser = nullptr;  // of the command that is the campaign

  void declare(CLI::App& command);  // without --resume
  bool wanted() const { return options.has_value(); }
};

// `folder` is where results travel, and must be shared by all nodes. `first`: the first finding ends
// it. `outputs` are made of the merged result. Returns the exit status.
int run_on_slurm(const SlurmOptions& slurm, const std::string& folder, bool first,
                 const SuiteOutputs& outputs);

}  // namespace isosan
