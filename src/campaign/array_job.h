// A campaign as an array job of Slurm: pure functions.
//
// Model: task I of the array is shard I. It writes its result beside, and gives it its name when it
// is complete; so a name means a whole result, and a task that dies, is requeued or runs twice loses
// and doubles nothing. Results are all that tasks hand on, and the shared folder is how.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isosan::campaign {

std::string part_path(const std::string& folder, std::uint64_t index);

// "1-4,7": as sbatch --array reads it; sorted indices.
std::string array_text(const std::vector<std::uint64_t>& indices);

// `isosan` is the program, `words` the command line of a task from the sub-command on, without what
// differs from task to task. Unless it says --jobs, a task uses the processors that it was given.
std::string task_script(const std::string& isosan, const std::vector<std::string>& words,
                        const std::string& folder, std::uint64_t count);

}  // namespace isosan::campaign
