// The short way through the edges of a call inside of a unit of work that is told: the call is told
// with the first thing that is logged in it (ownership/open_calls.h). Law: where these give true,
// they did what enter_function and leave_function do.
#pragma once

#include <cstdint>

#include "runtime/abi/edges.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/ownership/open_calls.h"

namespace isosan::rt {

// Nothing that an edge would have to see to but the edge itself.
inline bool is_plain_edge(const Thread& t) {
  return g_log.units && !t.withholds && t.open_leaf == 0 && t.block->open_walks == 0 &&
         !t.withheld.marks_left && t.nested_entries == 0 && !must_answer(t);
}

inline bool enter_untold_unit(Thread& t, std::uint64_t record, std::uint64_t object,
                              Closes closes) {
  if (t.block->region_depth == 0 || closes != Closes::kOutermost ||
      t.open_edge_count - 1 >= kMaxOpenEdges - 1 || !is_plain_edge(t)) {
    return false;
  }
  keep_logged(t);
  push_call(t, record, object, closes, false);
  ++t.block->region_depth;
  take_room(t);
  return true;
}

inline bool leave_untold_unit(Thread& t, std::uint64_t record) {
  const std::uint64_t depth = t.open_edge_count - 1;
  if (t.block->region_depth < 2 || depth - 1 >= kMaxOpenEdges - 1 || !is_plain_edge(t))
    return false;
  const OpenEdge& edge = t.open_edges[depth];
  if (edge.told || edge.place != record || edge.closes != Closes::kOutermost) return false;
  t.open_edge_count = depth;
  --t.block->region_depth;
  if (t.open_edges[depth - 1].told) give_room_back(t);
  return true;
}

}  // namespace isosan::rt
