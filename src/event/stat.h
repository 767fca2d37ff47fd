// A counter of an analysis (--stats, JSON "stats"): plain data, printed by
// reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isosan {

struct Stat {
  std::string name;  // lower case, words joined by '_': the JSON key
  std::uint64_t value = 0;
};

using Stats = std::vector<Stat>;

}  // namespace isosan
