// What doublechecker can be told, and what its first run tells.
#pragma once

#include <set>

#include "event/ids.h"

namespace isosan {

// What a first run hands to a second run.
struct Suspects {
  std::set<RegionId> regions;  // static regions in imprecise cycles
  bool unary = false;          // code outside regions was in one
};

struct DoubleCheckerOptions {
  bool sync_edges = true;
  bool log_accesses = true;   // false: first run
  Suspects* found = nullptr;  // finish() puts suspects() there
};

}  // namespace isosan
