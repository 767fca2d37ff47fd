// The short way through the edges of a call, where locksets are asked for: the function has been
// told before, so that the call is told later if at all (edges.h), and no edge closes an epoch.
// Law: where these give true, they did what enter_function and leave_function do.
#pragma once

#include <cstdint>

#include "runtime/abi/edges.h"
#include "runtime/ownership/coordinate.h"

namespace isosan::rt {

inline bool enter_untold(Thread& t, const FunctionRecord& record, std::uint64_t object,
                         Closes closes) {
  const std::uint64_t depth = t.open_edge_count;
  if (record.told == 0 || depth - 1 >= kMaxOpenEdges - 1 || must_answer(t)) [[unlikely]]
    return false;
  t.open_edge_count = depth + 1;
  t.open_edges[depth] = {.place = reinterpret_cast<std::uint64_t>(&record),
                         .address = object,
                         .kind = Kind::kCall,
                         .closes = closes,
                         .told = false};
  if (closes == Closes::kAlways) {
    ++t.loud_edges;
  } else if (closes != Closes::kNever && t.block->region_depth++ == 0) {
    t.quiet_region = closes == Closes::kQuiet;
  }
  return true;
}

inline bool leave_untold(Thread& t, const FunctionRecord& record) {
  const std::uint64_t depth = t.open_edge_count - 1;
  if (depth >= kMaxOpenEdges || must_answer(t)) [[unlikely]]
    return false;
  const OpenEdge& edge = t.open_edges[depth];
  if (edge.told || edge.place != reinterpret_cast<std::uint64_t>(&record)) return false;
  t.open_edge_count = depth;
  if (edge.closes == Closes::kAlways) {
    --t.loud_edges;
  } else if (edge.closes != Closes::kNever) {
    --t.block->region_depth;
  }
  return true;
}

}  // namespace isosan::rt
