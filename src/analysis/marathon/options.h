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
  bool split_at_wait = true;
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
