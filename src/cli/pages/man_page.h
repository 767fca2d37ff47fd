// The manual page of a command, for man(1).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/pages/parser_view.h"

namespace isosan {

struct ManPage {
  std::string name;  // "isosan-trace-stat"
  std::string text;
};

// Of the command and of all below it.
std::vector<ManPage> man_pages(const CommandView& command, std::string_view version);

}  // namespace isosan
