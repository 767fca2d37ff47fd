// isosan: the isolation sanitizer's command line. Everything a user can do is a row of the table in
// command.cc.
#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/input_error.h"
#include "base/shown.h"
#include "base/user_error.h"
#include "cli/commands/command.h"
#include "cli/output/exit_status.h"
#include "cli/output/version.h"

namespace isosan {
namespace {

int complain(const std::string& line) {
  std::fflush(stdout);
  // Not fmt::print: it throws if the line cannot be written, and nobody would catch that.
  std::fputs(fmt::format("isosan: {}\n", shown(line)).c_str(), stderr);
  return kExitError;
}

// The innermost sub-command on the line: after a usage error its --help is named.
std::string command_path(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app.get_name() : app.get_name() + " " + command_path(*chosen.front());
}

// CLI11 would only say that a sub-command is required.
void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
    const std::vector<const CLI::App*> known = at->get_subcommands({});
    if (known.empty()) return;
    const auto chosen = std::ranges::find(known, std::string(argv[i]),
                                          [](const CLI::App* sub) { return sub->get_name(); });
    if (chosen != known.end()) {
      at = *chosen;
      continue;
    }
    std::vector<std::string> names;
    for (const CLI::App* sub : known) names.push_back(sub->get_name());
    throw UserError(
        fmt::format("unknown command '{}'; there are: {}", argv[i], fmt::join(names, ", ")));
  }
}

// CLI11 would also name the "--" before the program.
std::string unexpected(const CLI::App& app) {
  std::vector<std::string> extras = app.remaining(true);
  std::erase(extras, "--");
  return fmt::format("not expected here: {}", fmt::join(extras, " "));
}

const Command* command_named(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &Command::name);
  return found != commands().end() ? &*found : nullptr;
}

int run(int argc, char** argv) {
  CLI::App app("IsoSan, the isolation sanitizer for C and C++", "isosan");
  app.set_version_flag("--version", version_line());
  const Command* chosen = command_named(argc > 1 ? argv[1] : "");
  const Action action =
      declare_commands(app, commands(), chosen != nullptr ? chosen->name : std::string_view{});
  try {
    if (chosen != nullptr && chosen->run != nullptr) return chosen->run({argv + 2, argv + argc});
    std::signal(SIGXFSZ, SIG_IGN);  // beyond a limit (ulimit -f) writes fail and are reported
    refuse_unknown_command(app, argc, argv);
    app.parse(argc, argv);
    const int status = action();
    return std::fflush(stdout) == 0 ? status : complain("cannot write to the standard output");
  } catch (const CLI::Success& wanted) {  // --help, --version
    return app.exit(wanted);
  } catch (const CLI::ExtrasError&) {
    return complain(fmt::format("{}; see '{} --help'", unexpected(app), command_path(app)));
  } catch (const CLI::ParseError& error) {
    return complain(fmt::format("{}; see '{} --help'", error.what(), command_path(app)));
  } catch (const UserError& error) {
    return complain(error.what());
  } catch (const InputError& broken) {
    return complain(broken.what());
  } catch (const std::system_error& failed) {  // of a write to stdout or stderr
    return complain(failed.what());
  } catch (const std::bad_alloc&) {
    return complain("out of memory");
  }
}

}  // namespace
}  // namespace isosan

int main(int argc, char** argv) { return isosan::run(argc, argv); }
