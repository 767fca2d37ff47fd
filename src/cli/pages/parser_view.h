// The declared options of a command, as pages and completions show them: a view of CLI11's parser.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace isosan {

struct OptionView {
  std::vector<std::string> names;    // "-j", "--jobs"; of a positional its name alone
  std::string value;                 // "FILE", "on|off"; empty: takes none
  std::vector<std::string> choices;  // "on", "off", where the value is one of these
  std::string help;
  bool positional = false;
};

struct CommandView {
  std::vector<std::string> path;  // {"trace", "stat"}; empty: isosan itself
  std::string help;
  std::string footer;
  std::vector<OptionView> options;
  std::vector<CommandView> commands;
};

CommandView view_of(CLI::App& parser, const std::vector<std::string>& path = {});

std::string joined(const std::vector<std::string>& words, const std::string& between);

}  // namespace isosan
