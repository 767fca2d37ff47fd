// The two properties of SingleTrack by brute force, for small traces: which blocks have a conflict,
// and whether the graph of transactions has a cycle. Shares no line with the analysis.
//
// Blocks, order inside them and graph are those of singletrack.md, without semaphores.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include "event/event.h"

namespace isosan::test {

struct DeterminismVerdict {
  std::set<std::size_t> conflicting_blocks;  // by the ordinal of their begin
  bool cyclic = false;
};

DeterminismVerdict judge_determinism(std::span<const Event> events);

// The blocks that each event is in, outermost first, by the ordinal of their begin.
std::vector<std::vector<std::size_t>> blocks_of_events(std::span<const Event> events);

// Do two accesses or synchronization operations, `first` the earlier one, conflict inside a block?
bool conflict_inside(std::span<const Event> events, std::size_t first, std::size_t second);

}  // namespace isosan::test
