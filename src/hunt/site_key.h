// A place in the program, by a number that is the same in every run of one binary.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>

#include "event/tables.h"

namespace isosan {

inline std::uint64_t key_of(const Site& site) {
  return std::hash<std::string>()(fmt::format("{} {}:{}:{} {:x}", index(site.module), site.file,
                                              site.line, site.column, site.pc));
}

}  // namespace isosan
