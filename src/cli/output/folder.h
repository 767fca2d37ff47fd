// A folder that the user names for output: made before the work, so that no finding is
// lost.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "base/user_error.h"

namespace isosan {

inline void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw UserError(fmt::format("{}: cannot be made: {}", path, error.message()));
}

}  // namespace isosan
