// TOML files written by users: an error is an InputError that names file and line.
#pragma once

#include <toml++/toml.h>

#include <string>

namespace isosan {

toml::table read_toml(const std::string& path);  // throws InputError

[[noreturn]] void fail_in_toml(const std::string& path, const toml::source_region& where,
                               const std::string& what);

}  // namespace isosan
