#include "cli/pages/man_page.h"

#include <fmt/format.h>

#include <cctype>
#include <sstream>

namespace isosan {
namespace {

// What roff would take for its own.
std::string roff(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n')) safe += "\\&";
      safe += c;
    }
  }
  return safe;
}

std::string page_name(const CommandView& command) {
  return command.path.empty() ? "isosan" : "isosan-" + joined(command.path, "-");
}

std::string synopsis(const CommandView& command) {
  std::string text = ".SH SYNOPSIS\n.B isosan";
  for (const std::string& word : command.path) text += " " + roff(word);
  text += "\n[\\fIOPTIONS\\fR]";
  if (!command.commands.empty()) text += " \\fICOMMAND\\fR";
  for (const OptionView& option : command.options) {
    if (option.positional) text += " \\fI" + roff(option.names.front()) + "\\fR";
  }
  return text + "\n";
}

std::string options(const CommandView& command) {
  std::string text = ".SH OPTIONS\n";
  for (const OptionView& option : command.options) {
    text += ".TP\n\\fB" + roff(joined(option.names, ", ")) + "\\fR";
    if (!option.value.empty()) text += " \\fI" + roff(option.value) + "\\fR";
    text += "\n" + roff(option.help) + "\n";
  }
  return text;
}

std::string commands(const CommandView& command) {
  if (command.commands.empty()) return {};
  std::string text = ".SH COMMANDS\n";
  for (const CommandView& sub : command.commands)
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(page_name(sub)), roff(sub.help));
  return text;
}

std::string see_also(const CommandView& command) {
  if (command.path.empty()) return {};
  const CommandView above{.path = {command.path.begin(), command.path.end() - 1},
                          .help = "",
                          .footer = "",
                          .options = {},
                          .commands = {}};
  return fmt::format(".SH SEE ALSO\n\\fB{}\\fR(1)\n", roff(page_name(above)));
}

constexpr char kExitStatus[] =
    ".SH EXIT STATUS\n"
    ".TP\n0\nnothing was found\n"
    ".TP\n66\nsomething was found\n"
    ".TP\n2\nbad command line, or input that cannot be read, with one line that says why\n";

}  // namespace

std::vector<ManPage> man_pages(const CommandView& command, std::string_view version) {
  std::string title = page_name(command);
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text =
      fmt::format(".TH \"{}\" 1 \"\" \"isosan {}\" \"IsoSan\"\n", roff(title), version);
  text += fmt::format(".SH NAME\n{} \\- {}\n", roff(page_name(command)), roff(command.help));
  text += synopsis(command) + commands(command) + options(command);
  if (!command.footer.empty()) text += ".SH NOTES\n.nf\n" + roff(command.footer) + "\n.fi\n";
  text += kExitStatus + see_also(command);
  std::vector<ManPage> all{{page_name(command), text}};
  for (const CommandView& sub : command.commands) {
    for (ManPage& page : man_pages(sub, version)) all.push_back(std::move(page));
  }
  return all;
}

}  // namespace isosan
