// How help looks: options by group, those that few people need in `--help-all` alone.
#pragma once

#include <CLI/App.hpp>

namespace isosan {

// Of the command, once its options are declared.
void set_help(CLI::App& command);

}  // namespace isosan
