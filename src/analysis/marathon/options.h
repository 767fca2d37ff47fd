// Marathon's options, and the inferred sets that it reports.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "analysis/marathon/set_rules.h"
#include "event/tables.h"

namespace isosan {

struct MarathonOptions {
  const Tables* tables = nullptr;  // required: classes, fields, accessibility; may grow
  marathon::SetRules rules;
  // What ends the units that are open and begins new ones. The paper has waits alone.
  bool split_at_wait = true;  // for a condition or a semaphore
  bool split_at_barrier = true;
  bool split_at_fork = true;
  bool split_at_join = true;
  std::size_t most_deferred = 1 << 17;  // accesses of one unit (deferred.h)
};

namespace marathon {

// What --sets prints: for each kind of set the fields and units seen in the run.
struct SetDescription {
  std::set<std::string> fields, units;
};
using InferredSets = std::map<std::string, SetDescription>;  // by name of the set

}  // namespace marathon
}  // namespace isosan
