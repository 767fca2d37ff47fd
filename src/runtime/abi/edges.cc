#include "runtime/abi/edges.h"

#include "runtime/ownership/coordinate.h"

namespace isosan::rt {
namespace {

OpenEdge& edge_at(Thread& t, std::uint64_t i) { return t.open_edges[i]; }

Kind end_of(Kind kind) { return kind == Kind::kCall ? Kind::kReturn : Kind::kEnd; }

// Every function of the __tsan_* front may be a region as far as is known here.
bool may_be_region(const OpenEdge& edge) { return edge.frame != 0; }

// Takes the innermost edge off and logs its end.
void close_innermost(Thread& t) {
  const std::uint64_t depth = --t.open_edge_count;
  if (depth >= kMaxOpenEdges) return;  // beyond what is kept: its entry was not logged either
  const OpenEdge& edge = edge_at(t, depth);
  append_event(t.block, end_of(edge.kind), edge.kind == Kind::kBegin ? edge.address : 0, edge.place,
               edge.detail);
  if (may_be_region(edge)) {
    bump_epoch(t);
  } else if (edge.closes_epoch && --t.block->region_depth == 0) {
    bump_epoch(t);
  }
}

// Closes the innermost edge for which `matches` holds, and what lies above it. Nothing if there is
// none.
template <class Matches>
bool close_matching(Thread& t, Matches matches) {
  const std::uint64_t kept = t.open_edge_count < kMaxOpenEdges ? t.open_edge_count : kMaxOpenEdges;
  for (std::uint64_t i = kept; i > 0; --i) {
    if (!matches(edge_at(t, i - 1))) continue;
    while (t.open_edge_count >= i) close_innermost(t);
    return true;
  }
  return false;
}

}  // namespace

void enter_edge(Thread& t, const OpenEdge& edge) {
  poll(t);
  const std::uint64_t depth = t.open_edge_count++;
  if (depth >= kMaxOpenEdges) return;
  edge_at(t, depth) = edge;
  append_event(t.block, edge.kind, edge.address, edge.place, edge.detail);
  if (may_be_region(edge)) {
    bump_epoch(t);
  } else if (edge.closes_epoch && t.block->region_depth++ == 0) {
    bump_epoch(t);
  }
}

void leave_function(Thread& t, std::uint64_t record) {
  poll(t);
  if (t.open_edge_count > kMaxOpenEdges) {
    --t.open_edge_count;
    return;
  }
  close_matching(t, [=](const OpenEdge& e) { return e.place == record; });
}

void leave_block(Thread& t, std::uint64_t site, std::uint8_t detail) {
  poll(t);
  close_matching(t, [=](const OpenEdge& e) {
    return e.kind == Kind::kBegin && e.detail == detail && (site == 0 || e.place == site);
  });
}

void leave_frame(Thread& t, std::uint64_t frame, std::uint64_t pc) {
  poll(t);
  if (t.open_edge_count == 0) return;
  if (t.open_edge_count > kMaxOpenEdges) {
    --t.open_edge_count;
    return;
  }
  const OpenEdge& top = edge_at(t, t.open_edge_count - 1);
  // The call of the exit may be a tail call: then it returns straight to where the function was
  // called from, and its frame is the caller's.
  if (top.frame != frame && top.address != pc &&
      close_matching(t, [=](const OpenEdge& e) { return e.frame == frame; })) {
    return;
  }
  close_innermost(t);  // the usual case; or its stack pointer moved meanwhile (alloca)
}

void leave_frames_below(Thread& t, std::uint64_t stack_pointer) {
  poll(t);
  while (t.open_edge_count > 0) {
    if (t.open_edge_count <= kMaxOpenEdges) {
      const OpenEdge& top = edge_at(t, t.open_edge_count - 1);
      if (top.frame == 0 || top.frame >= stack_pointer) return;
    }
    close_innermost(t);
  }
}

std::uint64_t open_edges(const Thread& t) { return t.open_edge_count; }

void unwind_to(Thread& t, std::uint64_t depth) {
  poll(t);
  while (t.open_edge_count > depth) close_innermost(t);
}

}  // namespace isosan::rt
