#include "spec/toml_file.h"

#include <filesystem>

#include "base/input_error.h"

namespace isosan {

toml::table read_toml(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw InputError(path + ": is a directory");
  try {
    return toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    if (error.source().begin.line == 0) throw InputError(path + ": cannot be read");
    fail_in_toml(path, error.source(), std::string(error.description()));
  }
}

void fail_in_toml(const std::string& path, const toml::source_region& where,
                  const std::string& what) {
  throw InputError(path + ":" + std::to_string(where.begin.line) + ": " + what);
}

}  // namespace isosan
