#include "cli/options/task_words.h"

#include <algorithm>
#include <string_view>

#include "base/check.h"

namespace isosan {
namespace {

// Every option of the commands that can be campaigns. The campaign keeps what says how the work is
// split and which reports are made of the merged result.
struct Row {
  std::string_view name;
  bool of_task;
};
constexpr bool kTask = true, kCampaign = false;
constexpr Row kOptions[] = {
    {"PROGRAM", kTask},           {"--help", kCampaign},      {"--help-all", kCampaign},
    {"--version", kCampaign},     {"-o", kCampaign},          {"--json", kCampaign},
    {"--sarif", kCampaign},       {"--junit", kCampaign},     {"--html", kCampaign},
    {"--baseline", kCampaign},    {"--list", kCampaign},      {"--write-baseline", kCampaign},
    {"--slurm", kCampaign},       {"--shards", kCampaign},    {"--shard", kCampaign},
    {"--resume", kCampaign},      {"--emit-test", kCampaign}, {"--all", kTask},
    {"--again", kTask},           {"--atomic", kTask},        {"--not-atomic", kTask},
    {"--deterministic", kTask},   {"--spec", kTask},          {"--regions", kTask},
    {"--explain-regions", kTask}, {"--loops", kTask},         {"--strategy", kTask},
    {"--budget", kTask},          {"--max-schedules", kTask}, {"--jobs", kTask},
    {"--observe", kTask},         {"--seed", kTask},          {"--timeout", kTask},
    {"--fail-if", kTask},         {"--expect-output", kTask}, {"--fix-time", kTask},
    {"--fix-random", kTask},      {"--build", kTask},         {"--only", kTask},
    {"--corpus", kTask},          {"--reuse-freed", kTask},   {"--expect-invariant", kTask},
    {"--serial-output", kTask},
};

std::string name_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  return option.get_lnames().empty() ? "-" + option.get_snames().front()
                                     : "--" + option.get_lnames().front();
}

bool is_of_task(const CLI::Option& option) {
  const auto row = std::ranges::find(kOptions, name_of(option), &Row::name);
  ISOSAN_CHECK(row != std::end(kOptions));  // a new option: who is it for?
  return row->of_task;
}

void add_option(std::vector<std::string>& words, const CLI::Option& option) {
  const std::string name = name_of(option);
  if (option.get_items_expected_max() == 0) {
    words.push_back(name);
    return;
  }
  for (const std::string& value : option.results()) {
    if (value.empty()) {  // '--name=' would take the next word
      words.insert(words.end(), {name, value});
    } else {
      words.push_back(name + "=" + value);
    }
  }
}

}  // namespace

std::vector<std::string> task_words(const CLI::App& parser) {
  std::vector<std::string> words = {parser.get_name()}, program;
  for (const CLI::Option* option : parser.get_options()) {
    if (!is_of_task(*option) || option->count() == 0) continue;
    if (option->get_positional()) {
      program = option->results();
    } else {
      add_option(words, *option);
    }
  }
  if (!program.empty() && program.front() == "--") program.erase(program.begin());
  if (!program.empty()) words.push_back("--");
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

}  // namespace isosan
