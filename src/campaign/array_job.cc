#include "campaign/array_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/shell_word.h"

namespace isosan::campaign {

std::string part_path(const std::string& folder, std::uint64_t index) {
  return fmt::format("{}/part.{}.json", folder, index);
}

std::string array_text(const std::vector<std::uint64_t>& indices) {
  std::string text;
  for (std::size_t from = 0; from < indices.size();) {
    std::size_t to = from;
    while (to + 1 < indices.size() && indices[to + 1] == indices[to] + 1) ++to;
    text += text.empty() ? "" : ",";
    text += from == to ? fmt::format("{}", indices[from])
                       : fmt::format("{}-{}", indices[from], indices[to]);
    from = to + 1;
  }
  return text;
}

std::string task_script(const std::string& isosan, const std::vector<std::string>& words,
                        const std::string& folder, std::uint64_t count) {
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  const bool says_jobs =
      std::any_of(words.begin(), std::ranges::find(words, "--"),
                  [](const std::string& word) { return word.starts_with("--jobs="); });
  return fmt::format(
      "#!/bin/sh\n"
      "# A task of a campaign of isosan: shard $SLURM_ARRAY_TASK_ID of {count}.\n"
      "folder={folder}\n"
      "part=$folder/part.$SLURM_ARRAY_TASK_ID.json\n"
      "mine=$part.$SLURM_JOB_ID.${{SLURM_RESTART_COUNT:-0}}\n"
      "{isosan} {command} --shard $SLURM_ARRAY_TASK_ID/{count} --json \"$mine\" "
      "-o \"$folder/task.$SLURM_ARRAY_TASK_ID\" {jobs}{rest} > \"$mine.log\" 2>&1\n"
      "status=$?\n"
      "case $status in\n"
      "  0|66) ! grep -qs '\"complete\": false' \"$mine\" || exit 1 ;;  # a suite ended early\n"
      "  2) grep -qs '\"complete\": true' \"$mine\" || exit 2 ;;  # a test that fails by itself\n"
      "  *) exit $status ;;\n"
      "esac\n"
      "mv \"$mine\" \"$part\" && rm -f \"$mine.log\"\n",
      fmt::arg("count", count), fmt::arg("folder", shell_word(folder)),
      fmt::arg("isosan", shell_word(isosan)), fmt::arg("command", words.front()),
      fmt::arg("jobs", says_jobs ? "" : "--jobs ${SLURM_CPUS_PER_TASK:-1} "),
      fmt::arg("rest", shell_words(rest)));
}

}  // namespace isosan::campaign
