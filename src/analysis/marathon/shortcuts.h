// Shortens a cycle as far as Definition 2 allows.
//
// By the definition, every two units with conflicting accesses have an edge. The graph keeps only
// the edges from an access's latest predecessors, so a path leads through all units that wrote in
// between. A reader needs only the first and the last of them.
#pragma once

#include "analysis/marathon/conflict_graph.h"

namespace isosan::marathon {

// The conflicts of an edge from the first unit to the last; empty: there is no such edge.
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

// The closing edge is kept.
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
