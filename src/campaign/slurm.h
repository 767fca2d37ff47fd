// Slurm, by its own programs: sbatch, squeue, scancel.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace isosan::campaign {

// Submits the script as an array job; returns its number. Throws UserError: there is no Slurm, or
// it refuses.
std::string submit(const std::string& script, const std::vector<std::string>& options,
                   const std::string& array, const std::atomic<bool>& stop);

// Are tasks of it waiting or running?
bool is_queued(const std::string& job, const std::atomic<bool>& stop);

void cancel(const std::string& job);

}  // namespace isosan::campaign
