#include "cli/output/help.h"

#include <CLI/Formatter.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/option_groups.h"

namespace isosan {
namespace {

class GroupedHelp : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    shows_all_ = mode == CLI::AppFormatMode::All;
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at; (at = text.find("\n\n\n")) != text.npos;) text.erase(at, 1);
    return text;
  }
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    if (group == option_group::kMore && !shows_all_) return "";
    return CLI::Formatter::make_group(std::move(group), is_positional, std::move(options));
  }

 private:
  mutable bool shows_all_ = false;
};

bool has_more(const CLI::App& command) {
  const std::vector<std::string> groups = command.get_groups();
  return std::ranges::find(groups, option_group::kMore) != groups.end();
}

}  // namespace

void set_help(CLI::App& command) {
  command.formatter(std::make_shared<GroupedHelp>());
  if (has_more(command)) command.set_help_all_flag("--help-all", "Print every option and exit");
}

}  // namespace isosan
