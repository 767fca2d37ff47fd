// Completion for shells: commands, options, and the values of options that are one of a few words.
// Anything else is a file, and behind `--` a command.
#pragma once

#include <string>

#include "cli/pages/parser_view.h"

namespace isosan {

std::string bash_completion(const CommandView& isosan);
std::string zsh_completion(const CommandView& isosan);

}  // namespace isosan
