// The user's rules for atomic sets and units of work; they override the heuristics.
// Plain data, filled from an edited --sets file and from the annotations of the source.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

namespace isosan::marathon {

struct NamedSet {
  std::string name;
  bool across_objects = false;  // one set for all objects, not one for each
};

struct SetRules {
  // (class, field): the set that the field belongs to instead of its object's.
  std::map<std::pair<std::string, std::string>, NamedSet> fields;
  // Globals and static members: the set that they belong to.
  absl::flat_hash_map<std::string, std::string> globals;
  // Classes that own whatever their member functions allocate, used directly or not.
  absl::flat_hash_set<std::string> owning_classes;
  // Functions, by qualified name. A unit named here works on whatever it touches.
  absl::flat_hash_set<std::string> units;
  absl::flat_hash_set<std::string> not_units;
  // Functions, by qualified or linkage name, that are units of work on every set of these names
  // (for an object's set: its class) that they touch.
  std::map<std::string, absl::flat_hash_set<std::string>> unitfor;
};

}  // namespace isosan::marathon
