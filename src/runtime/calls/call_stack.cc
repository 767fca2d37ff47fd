#include "runtime/calls/call_stack.h"

#include "event/accessibility.h"
#include "runtime/calls/region_table.h"
#include "runtime/modes/units.h"
#include "runtime/ownership/coordinate.h"

namespace isosan::rt {
namespace {

OpenEdge& edge_at(Thread& t, std::uint64_t i) { return t.open_edges[i]; }

Kind end_of(Kind kind) { return kind == Kind::kCall ? Kind::kReturn : Kind::kEnd; }

inline void log_edge(Thread& t, Kind kind, const OpenEdge& edge, std::uint64_t address) {
  if (edge.name == 0) {
    append_event(t.block, kind, address, edge.place, edge.detail);
  } else {
    append_event(t.block, kind, address, edge.place, edge.detail | log::kNamedBlock);
    append_number(t.block, log::Code::kExtension, edge.name);
  }
}

// The outermost function of a thread is its entry, which is no region by heuristic.
bool is_entry(const Thread& t, const OpenEdge& edge) {
  return edge.kind == Kind::kCall && t.open_edge_count == 0 && t.id != 0;
}

bool is_region(Closes closes) { return closes == Closes::kOutermost || closes == Closes::kQuiet; }

// main and thread entries are never units (analysis/marathon/function_roles.h).
bool is_no_unit(const FunctionRecord& function) {
  if ((function.attributes & kThreadEntry) != 0) return true;
  const char* name = reinterpret_cast<const char*>(&function.name) + function.name;
  return function.name != 0 && name[0] == 'm' && name[1] == 'a' && name[2] == 'i' &&
         name[3] == 'n' && name[4] == 0;
}

// A private member function that nobody's unit of work called: what it does to its own object is
// its caller's, who is no unit (analysis/marathon/unit_stack.h).
Closes closes_here(const Thread& t, const FunctionRecord& function, Closes closes) {
  if (!g_log.units) return closes;
  if (closes == Closes::kAlways) return is_no_unit(function) ? Closes::kNoUnit : closes;
  const bool acts_for_entry =
      t.block->region_depth == 0 &&
      function.accessibility == static_cast<std::uint8_t>(Accessibility::kPrivate);
  return acts_for_entry && is_region(closes) ? Closes::kAlways : closes;
}

// False: of the __tsan_* front, and none that is known to be a region. It may be the library's,
// which waits on behalf of its caller.
bool no_region_any_more(const OpenEdge& edge) {
  if (edge.frame != 0) return remove_region_at(edge.place);
  FunctionRecord& function = *reinterpret_cast<FunctionRecord*>(edge.place);
  if ((function.flags & log::kFunctionRegion) != 0)
    function.flags = log::kFunctionLogged | log::kFunctionNested | log::kFunctionCut;
  return true;
}

// What may be a region without counting as one keeps its accesses: the reader may want them.
inline bool is_quiet(const Thread& t) {
  if (t.loud_edges > 0) return false;
  return t.block->region_depth > 0 ? t.quiet_region : g_log.quiet_outside;
}

// Rule 1: at region edges only where accesses are logged; order alone does not need it, nor do
// locksets.
inline void close_epoch(Thread& t) {
  if (!g_log.logged || g_log.locksets) return;
  const bool quiet = is_quiet(t);
  close_walks(t.block);
  t.appends = quiet ? &t.sink.block : t.block;
  if (!quiet) bump_epoch(t);
}

inline void open_region(Thread& t, Closes closes) {
  switch (closes) {
    case Closes::kNever:
      return;
    case Closes::kOutermost:
    case Closes::kQuiet:
      if (t.block->region_depth++ != 0) return;
      t.quiet_region = closes == Closes::kQuiet;
      return close_epoch(t);
    case Closes::kAlways:
    case Closes::kNoUnit:
      ++t.loud_edges;
      return close_epoch(t);
  }
}

inline void close_region(Thread& t, Closes closes) {
  switch (closes) {
    case Closes::kNever:
      return;
    case Closes::kOutermost:
    case Closes::kQuiet:
      if (--t.block->region_depth == 0) close_epoch(t);
      return;
    case Closes::kAlways:
    case Closes::kNoUnit:
      --t.loud_edges;
      return close_epoch(t);
  }
}

inline bool told_later(const Thread& t, const FunctionRecord& function, Closes closes) {
  if (g_log.units) return is_region(closes);
  if (g_log.locksets) return function.told != 0;
  return !g_log.logged && t.block->region_depth > 0;
}

std::uint64_t kept_edges(const Thread& t) {
  return t.open_edge_count < kMaxOpenEdges ? t.open_edge_count : kMaxOpenEdges;
}

// A thread entry that is called like any function: what it does is no unit, as if it were
// outermost.
inline bool is_nested_entry(const Thread& t, const OpenEdge& edge) {
  return edge.closes == Closes::kNoUnit && edge.kind == Kind::kCall && edge.frame == 0 &&
         t.block->region_depth > 0 &&
         (reinterpret_cast<const FunctionRecord*>(edge.place)->attributes & kThreadEntry) != 0;
}

// Units of work: before and behind the edges of a call.
inline void enter_unit(Thread& t, OpenEdge& edge) {
  if (is_region(edge.closes)) {
    if (t.block->region_depth > 0) keep_logged(t);
    if (t.nested_entries > 0) bump_epoch(t);
  } else if (is_nested_entry(t, edge)) {
    ++t.nested_entries;
  }
  edge.logged = t.logged_to;
}
inline void leave_unit(Thread& t, const OpenEdge& edge) {
  if (is_region(edge.closes)) {
    if (!edge.told) {
      const std::uint64_t depth = t.open_edge_count;
      if (depth == 0 || edge_at(t, depth - 1).told) give_room_back(t);
    } else if (t.block->region_depth > 0) {
      forget_logged(t, edge.logged);
    }
  } else if (t.nested_entries > 0 && is_nested_entry(t, edge)) {
    --t.nested_entries;
  }
}

// What was gathered was done in the calls that are open.
inline void come_to_edge(Thread& t) {
  poll(t);
  close_walks(t.block);
}

// Takes the innermost edge off and logs its end.
void close_innermost(Thread& t) {
  const std::uint64_t depth = --t.open_edge_count;
  if (depth >= kMaxOpenEdges) return;  // beyond what is kept: its entry was not logged either
  const OpenEdge& edge = edge_at(t, depth);
  if (edge.told) log_edge(t, end_of(edge.kind), edge, edge.kind == Kind::kBegin ? edge.address : 0);
  close_region(t, edge.closes);
  if (g_log.units) leave_unit(t, edge);
}

// Closes the innermost edge for which `matches` holds, and what lies above it. Nothing if there is
// none.
template <class Matches>
bool close_matching(Thread& t, Matches matches) {
  const std::uint64_t kept = kept_edges(t);
  for (std::uint64_t i = kept; i > 0; --i) {
    if (!matches(edge_at(t, i - 1))) continue;
    while (t.open_edge_count >= i) close_innermost(t);
    return true;
  }
  return false;
}

}  // namespace

void tell_untold_calls(Thread& t) {
  const std::uint64_t kept = kept_edges(t);
  std::uint64_t i = kept;
  while (i > 0 && !edge_at(t, i - 1).told) --i;
  if (i == kept || t.telling) return;
  t.telling = true;  // to append may come here again
  for (; i < kept; ++i) {
    OpenEdge& edge = edge_at(t, i);
    edge.told = true;
    log_edge(t, edge.kind, edge, edge.address);
  }
  t.telling = false;
}

void enter_edge(Thread& t, const OpenEdge& edge) {
  come_to_edge(t);
  tell_untold_calls(t);
  const bool entry = is_entry(t, edge);
  const std::uint64_t depth = t.open_edge_count++;
  if (depth >= kMaxOpenEdges) return;
  OpenEdge& open = edge_at(t, depth);
  open = edge;
  if (entry && is_region(edge.closes)) open.closes = Closes::kAlways;
  if (g_log.units) enter_unit(t, open);
  log_edge(t, open.kind, open, open.address);
  open_region(t, open.closes);
}

// Most calls are neither a thread's first nor too deep.
void enter_function(Thread& t, std::uint64_t record, std::uint64_t object, Closes closes) {
  const std::uint64_t depth = t.open_edge_count;
  if (depth - 1 >= kMaxOpenEdges - 1) [[unlikely]] {
    closes = closes_here(t, *reinterpret_cast<FunctionRecord*>(record), closes);
    return enter_edge(t,
                      {.place = record, .address = object, .kind = Kind::kCall, .closes = closes});
  }
  come_to_edge(t);
  FunctionRecord& function = *reinterpret_cast<FunctionRecord*>(record);
  closes = closes_here(t, function, closes);
  const bool told = !told_later(t, function, closes);
  if (told) {
    tell_calls(t);  // those around it come first
    if (g_log.locksets) function.told = 1;
  }
  t.open_edge_count = depth + 1;
  OpenEdge& edge = edge_at(t, depth);
  edge = {.place = record, .address = object, .kind = Kind::kCall, .closes = closes, .told = told};
  if (g_log.units) enter_unit(t, edge);
  if (told) append_event(t.block, Kind::kCall, object, record);
  open_region(t, closes);
  if (g_log.units && !told) take_room(t);
}

// Most functions end in the order in which they began.
void leave_function(Thread& t, std::uint64_t record) {
  come_to_edge(t);
  const std::uint64_t depth = t.open_edge_count - 1;
  if (depth < kMaxOpenEdges && edge_at(t, depth).place == record) [[likely]] {
    const OpenEdge& edge = edge_at(t, depth);
    t.open_edge_count = depth;
    if (edge.told) append_event(t.block, Kind::kReturn, 0, record);
    close_region(t, edge.closes);
    if (g_log.units) leave_unit(t, edge);
    return;
  }
  if (t.open_edge_count > kMaxOpenEdges) {
    --t.open_edge_count;
    return;
  }
  close_matching(t, [=](const OpenEdge& e) { return e.place == record; });
}

void leave_block(Thread& t, std::uint64_t site, std::uint8_t detail) {
  come_to_edge(t);
  close_matching(t, [=](const OpenEdge& e) {
    return e.kind == Kind::kBegin && e.detail == detail && (site == 0 || e.place == site);
  });
}

void leave_frame(Thread& t, std::uint64_t frame, std::uint64_t pc) {
  come_to_edge(t);
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
  come_to_edge(t);
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
  come_to_edge(t);
  while (t.open_edge_count > depth) close_innermost(t);
}

void note_wait(Thread& t, Waiting waiting) {
  tell_untold_calls(t);
  if (g_log.units) return;  // a unit is one all the same
  const std::uint64_t kept = kept_edges(t);
  bool done = waiting == Waiting::kNobody;
  for (std::uint64_t i = kept; i > 0 && !(done && t.block->region_depth == 0); --i) {
    OpenEdge& edge = edge_at(t, i - 1);
    if (is_region(edge.closes)) {
      edge.closes = Closes::kAlways;
      ++t.loud_edges;
      if (--t.block->region_depth == 0) close_epoch(t);
    }
    if (done || edge.kind != Kind::kCall) continue;
    const bool was_here = no_region_any_more(edge);
    done = was_here && waiting == Waiting::kFunction;
  }
}

}  // namespace isosan::rt
