// A command as a campaign on Slurm: submitted, watched and merged (large-suites.md).
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace isosan {

struct SlurmOptions {
  std::optional<std::string> options;  // of sbatch; none: not wanted
  std::uint64_t shards = 16;
  bool resume = false;  // a result that is there stays; only what is missing is submitted

  void declare(CLI::App& parser);  // without --resume
  bool wanted() const { return options.has_value(); }
};

// `folder` is where results travel, and must be shared by all nodes. `first`: the first finding ends
// it. Returns the exit status.
int run_on_slurm(const SlurmOptions& slurm, const std::string& folder, bool first);

}  // namespace isosan
