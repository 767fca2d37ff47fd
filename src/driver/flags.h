// The options that each front adds to a command line. Pure: no file is accessed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "driver/command_line.h"
#include "driver/toolchain.h"

namespace isosan::driver {

struct Invocation {
  Front front{};
  bool clang = true;  // the underlying compiler; false: gcc
  Parts parts;
  std::optional<std::filesystem::path> gcc_plugin;  // for this gcc
};

// The whole command line for the compiler, without its name.
std::vector<std::string> compiler_arguments(const CommandLine& line, const Invocation& invocation);

}  // namespace isosan::driver
