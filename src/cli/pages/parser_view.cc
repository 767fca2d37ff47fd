#include "cli/pages/parser_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace isosan {
namespace {

// "on|off" has two; "A[,B...]|all" and "FILE" have none.
std::vector<std::string> choices_in(const std::string& value) {
  std::vector<std::string> choices;
  if (value.find('|') == value.npos || value.find_first_of("[]=,.") != value.npos) return choices;
  std::istringstream parts(value);
  for (std::string one; std::getline(parts, one, '|');) choices.push_back(one);
  return choices;
}

OptionView view_of(const CLI::Option& option) {
  OptionView view;
  for (const std::string& name : option.get_snames()) view.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) view.names.push_back("--" + name);
  view.positional = option.get_positional();
  if (view.positional) view.names = {option.get_name(true)};
  if (option.get_items_expected_max() != 0) view.value = option.get_type_name();
  view.choices = choices_in(view.value);
  view.help = option.get_description();
  return view;
}

}  // namespace

CommandView view_of(CLI::App& parser, const std::vector<std::string>& path) {
  CommandView view;
  view.path = path;
  view.help = parser.get_description();
  view.footer = parser.get_footer();
  for (const CLI::Option* option : parser.get_options()) view.options.push_back(view_of(*option));
  for (CLI::App* sub : parser.get_subcommands({})) {
    std::vector<std::string> below = path;
    below.push_back(sub->get_name());
    view.commands.push_back(view_of(*sub, below));
  }
  return view;
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  return fmt::format("{}", fmt::join(words, between));
}

}  // namespace isosan
