#include "campaign/array_job.h"

#include <fmt/format.h>

#include <set>

#include "base/shell_word.h"

namespace isosan::campaign {
namespace {

// What is written where is decided by the campaign; reports are made of the merged result.
const std::set<std::string> kWithValue = {"--slurm",    "--shards",        "--shard", "-o",
                                          "--json",     "--sarif",         "--junit", "--html",
                                          "--baseline", "--write-baseline"};
const std::set<std::string> kAlone = {"--resume"};

}  // namespace

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

std::vector<std::string> words_of_task(const std::vector<std::string>& words) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {  // the program's own
      kept.insert(kept.end(), words.begin() + static_cast<long>(i), words.end());
      break;
    }
    const std::string name = words[i].substr(0, words[i].find('='));
    if (kAlone.contains(name)) continue;
    if (kWithValue.contains(name)) {
      if (name == words[i]) ++i;
      continue;
    }
    kept.push_back(words[i]);
  }
  return kept;
}

std::string task_script(const std::string& isosan, const std::vector<std::string>& words,
                        const std::string& folder, std::uint64_t count) {
  std::vector<std::string> rest = words_of_task(words);
  const std::string command = rest.empty() ? "" : rest.front();
  if (!rest.empty()) rest.erase(rest.begin());
  return fmt::format(
      "#!/bin/sh\n"
      "# A task of a campaign of isosan: shard $SLURM_ARRAY_TASK_ID of {count}.\n"
      "folder={folder}\n"
      "part=$folder/part.$SLURM_ARRAY_TASK_ID.json\n"
      "mine=$part.$SLURM_JOB_ID.${{SLURM_RESTART_COUNT:-0}}\n"
      "{isosan} {command} --shard $SLURM_ARRAY_TASK_ID/{count} --json \"$mine\" "
      "-o \"$folder/task.$SLURM_ARRAY_TASK_ID\" {rest} > \"$mine.log\" 2>&1\n"
      "status=$?\n"
      "case $status in\n"
      "  0|66) mv \"$mine\" \"$part\" && rm -f \"$mine.log\" ;;\n"
      "  *) exit $status ;;\n"
      "esac\n",
      fmt::arg("count", count), fmt::arg("folder", shell_word(folder)),
      fmt::arg("isosan", shell_word(isosan)), fmt::arg("command", command),
      fmt::arg("rest", shell_words(rest)));
}

}  // namespace isosan::campaign
