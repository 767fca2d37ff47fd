// The short way through the edges of a call inside of one that is withheld
// (ownership/withheld.h): a region in a region, and nobody asks for anything. Law: where these
// give true, they did what enter_function and leave_function do.
#pragma once

#include <cstdint>

#include "runtime/abi/edges.h"
#include "runtime/abi/untold_calls.h"
#include "runtime/ownership/withheld.h"

namespace isosan::rt {

inline void append_withheld(log::ThreadBlock& block, const log::LogUnit& unit) {
  reinterpret_cast<log::LogUnit*>(block.ring)[block.position] = unit;
  asm volatile("" ::: "memory");
  ++block.position;
}

// A call in which nothing was logged is taken back; else every return closes an epoch that nobody
// hears of: cheaper than to forget what was logged, and entries are cheap.
inline void end_withheld_call(Thread& t, std::uint64_t record) {
  log::ThreadBlock& block = t.withheld.block;
  const auto* units = reinterpret_cast<const log::LogUnit*>(block.ring);
  if (block.position > 0 && log::code_of(units[block.position - 1]) == log::code_of(Kind::kCall)) {
    --block.position;
    return;
  }
  append_withheld(block, log::make_unit(log::code_of(Kind::kReturn), 0, record));
  begin_next_epoch(t);
}

inline bool enter_withheld_call(Thread& t, std::uint64_t record, std::uint64_t object,
                                Closes closes) {
  const std::uint64_t depth = t.open_edge_count;
  log::ThreadBlock& block = t.withheld.block;
  if (!t.withholds || t.open_leaf != 0 || closes != Closes::kOutermost ||
      t.block->region_depth == 0 || depth >= kMaxOpenEdges || block.position == block.limit ||
      must_answer(t)) {
    return false;
  }
  push_call(t, record, object, closes);
  ++t.block->region_depth;
  append_withheld(block, log::make_unit(log::code_of(Kind::kCall), object, record));
  return true;
}

inline bool leave_withheld_call(Thread& t, std::uint64_t record) {
  const std::uint64_t depth = t.open_edge_count - 1;
  const log::ThreadBlock& block = t.withheld.block;
  if (!t.withholds || t.open_leaf != 0 || t.block->region_depth < 2 || depth >= kMaxOpenEdges ||
      block.position == block.limit || must_answer(t)) {
    return false;
  }
  const OpenEdge& edge = t.open_edges[depth];
  if (edge.place != record || edge.closes != Closes::kOutermost) return false;
  t.open_edge_count = depth;
  --t.block->region_depth;
  end_withheld_call(t, record);
  return true;
}

}  // namespace isosan::rt
