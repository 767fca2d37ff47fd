// The command line of a task of a campaign, made of what the campaign was asked (docs/howto/large-suites.md).
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace isosan {

// The sub-command, its options that are about the work, and behind `--` the program. `parser` has
// parsed. Law: every option that it declares has a row in the table of task_words.cc.
std::vector<std::string> task_words(const CLI::App& parser);

}  // namespace isosan
