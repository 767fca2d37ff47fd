// A cycle as short as Definition 2 allows.
//
// There every two units with conflicting accesses have an edge. The graph keeps those from an
// access to the last ones before it alone: a path of it leads through all units that wrote in
// between, however many there were. Who reads a cycle wants the first and the last of them.
#pragma once

#include "analysis/marathon/conflict_graph.h"

namespace isosan::marathon {

// Two edges that follow each other: is there one from the first unit to the last?
inline std::vector<Conflict> direct_conflicts(const CycleEdge& first, const CycleEdge& second) {
  std::vector<Conflict> direct;
  for (const Conflict& a : first.conflicts) {
    for (const Conflict& b : second.conflicts) {
      const bool writes = a.from.operation != Kind::kRead || b.to.operation != Kind::kRead;
      const bool same = a.address == b.address && a.size == b.size;
      if (writes && same && a.from.ordinal < b.to.ordinal)
        direct.push_back({a.from, b.to, a.address, a.size, a.set});
    }
  }
  return direct;
}

// The edge that closes it stays as it is.
inline Cycle shortened(const Cycle& cycle) {
  Cycle shorter;
  for (std::size_t i = 0; i + 1 < cycle.size(); ++i) {
    CycleEdge edge = cycle[i];
    while (!shorter.empty()) {
      std::vector<Conflict> direct = direct_conflicts(shorter.back(), edge);
      if (direct.empty()) break;
      edge = {shorter.back().from, edge.to, std::move(direct)};
      shorter.pop_back();
    }
    shorter.push_back(std::move(edge));
  }
  shorter.push_back(cycle.back());
  return shorter;
}

}  // namespace isosan::marathon
