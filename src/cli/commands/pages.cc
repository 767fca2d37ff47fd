// isosan pages: manual pages and completions, made from the declared commands and options.
#include <CLI/App.hpp>
#include <memory>
#include <string>

#include "cli/commands/command.h"
#include "cli/options/report_file.h"
#include "cli/output/exit_status.h"
#include "cli/output/folder.h"
#include "cli/pages/completion.h"
#include "cli/pages/man_page.h"

namespace isosan {
namespace {

void write_into(const std::string& folder, const std::string& name, const std::string& text) {
  make_folder(folder);
  write_report(folder + "/" + name, text);
}

int write_pages(const std::string& folder) {
  CLI::App app("the isolation sanitizer for C and C++", "isosan");
  app.set_version_flag("--version", ISOSAN_VERSION);
  declare_commands(app, commands());
  const CommandView isosan = view_of(app);
  for (const ManPage& page : man_pages(isosan, ISOSAN_VERSION))
    write_into(folder + "/man/man1", page.name + ".1", page.text);
  write_into(folder + "/bash-completion/completions", "isosan", bash_completion(isosan));
  write_into(folder + "/zsh/site-functions", "_isosan", zsh_completion(isosan));
  return kExitClean;
}

}  // namespace

Action declare_pages(CLI::App& parser) {
  auto folder = std::make_shared<std::string>();
  parser.add_option("FOLDER", *folder, "Where to: share of the prefix")->required()->type_name("");
  return [folder] { return write_pages(*folder); };
}

}  // namespace isosan
