// Where a project was built: in the folder that is named, or in the one named `build` in it.
#pragma once

#include <filesystem>
#include <string>

namespace isosan::suite {

// Of the two the one that has this file; empty: neither has.
inline std::string folder_with(const std::filesystem::path& folder, const char* file) {
  for (const std::filesystem::path& one : {folder, folder / "build"}) {
    std::error_code none;
    if (std::filesystem::exists(one / file, none)) return one;
  }
  return {};
}

}  // namespace isosan::suite
