// Paths of reports with places for what differs between runs, so that runs beside each other do not
// overwrite each other's reports:
//
//   %p  the process id of isosan
//   %n  the name of the program, or of the trace
//   %t  the name of the test: the variable ISOSAN_TEST, or else as %n
//   %%  a percent sign
//
// Anything else behind a percent sign stands for itself. A name does not leave its folder: '/' in
// it becomes '_'.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace isosan {

inline constexpr char kTestVariable[] = "ISOSAN_TEST";

inline std::string report_path(std::string_view path, const std::string& program) {
  const auto in_folder = [](std::string name) {
    for (char& c : name) c = c == '/' ? '_' : c;
    return name;
  };
  const std::string name = in_folder(program.substr(program.rfind('/') + 1));
  const char* variable = std::getenv(kTestVariable);
  std::string expanded;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char next = path[i] == '%' && i + 1 < path.size() ? path[i + 1] : '\0';
    if (next == 'p') expanded += std::to_string(::getpid());
    if (next == 'n') expanded += name;
    if (next == 't') expanded += variable == nullptr ? name : in_folder(variable);
    if (next == '%') expanded += '%';
    if (next == 'p' || next == 'n' || next == 't' || next == '%') {
      ++i;
    } else {
      expanded += path[i];
    }
  }
  return expanded;
}

// A path that report_path() leaves as it is.
inline std::string literal_path(std::string_view path) {
  std::string literal;
  for (const char c : path) literal += c == '%' ? std::string("%%") : std::string(1, c);
  return literal;
}

}  // namespace isosan
