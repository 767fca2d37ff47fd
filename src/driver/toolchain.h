// Finds files: our own parts beside the executable (ROOT/bin, ROOT/lib, ROOT/include; a build
// tree has the same shape as an installed one), compilers on PATH.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "driver/command_line.h"
#include "driver/driver.h"

namespace isosan::driver {

struct Parts {
  std::filesystem::path plugin;        // lib/isosan_pass.so
  std::filesystem::path runtime;       // lib/libisosan_rt.so
  std::filesystem::path gcc_plugins;   // lib: isosan_gcc-TARGET-MAJOR.so
  std::filesystem::path include;       // include, for <isosan/isosan.h>
  std::filesystem::path tsan_overlay;  // lib/isosan-tsan: stands in for libtsan when gcc links
};

Parts find_parts();

// The first executable of this name on PATH, or the name itself if it has a slash.
std::optional<std::filesystem::path> find_program(const std::string& name);

// ISOSAN_CC or ISOSAN_CXX, else the front's own: clang-19 for pass, gcc for tsan. Not looked up.
std::string compiler_name(Language language, Front front);

// --front, else ISOSAN_FRONT, else pass. Throws UserError.
Front choose_front(const std::string& option);

// Our plugin for this gcc, lib/isosan_gcc-TARGET-MAJOR.so, if there is one: TARGET-g++-MAJOR is the
// name of a gcc, links followed. Another gcc cannot load it.
std::optional<std::filesystem::path> gcc_plugin_for(const std::filesystem::path& compiler,
                                                    const Parts& parts);

// Is it clang, by its name (links followed)?
bool is_clang(const std::filesystem::path& compiler);

}  // namespace isosan::driver
