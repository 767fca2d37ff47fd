#include "runtime/calls/call_stack.h"

#include "runtime/calls/region_table.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/platform/check.h"

namespace isosan::rt {
namespace {

OpenEdge& edge_at(Thread& t, std::uint64_t i) { return t.calls.edges[i]; }

// Deeper edges are counted, but not kept.
std::uint64_t kept_edges(const Thread& t) {
  return t.calls.count < kMaxOpenEdges ? t.calls.count : kMaxOpenEdges;
}

Kind end_of(Kind kind) { return kind == Kind::kCall ? Kind::kReturn : Kind::kEnd; }

void log_edge(Thread& t, Kind kind, const OpenEdge& edge, std::uint64_t address) {
  if (edge.name == 0) {
    append_event(t.block, kind, address, edge.place, edge.detail);
  } else {
    append_event(t.block, kind, address, edge.place, edge.detail | log::kNamedBlock);
    append_number(t.block, log::Code::kExtension, edge.name);
  }
}

bool is_trampoline(const OpenEdge& edge) { return edge.frame != 0 && is_trampoline_at(edge.place); }

// The outermost function of a thread, but for trampolines, is its entry, which is no region by
// heuristic.
bool is_entry(const Thread& t, const OpenEdge& edge) {
  constexpr std::uint64_t kMostTrampolines = 32;
  if (edge.kind != Kind::kCall || t.id == 0 || t.calls.count > kMostTrampolines) return false;
  for (std::uint64_t i = 0; i < t.calls.count; ++i) {
    if (!is_trampoline(t.calls.edges[i])) return false;
  }
  return true;
}

FunctionRecord& record_of(const OpenEdge& edge) {
  return *reinterpret_cast<FunctionRecord*>(edge.place);
}

bool is_fixed(const OpenEdge& edge) {
  return is_pass_function(edge) && (record_of(edge).flags & log::kFunctionFixed) != 0;
}

bool begins_with(const char* text, const char* prefix) {
  while (*prefix != 0 && *text == *prefix) ++text, ++prefix;
  return *prefix == 0;
}

// Of the C++ library (as in spec/region_rules.h): it waits on behalf of its caller.
bool is_library_function(const FunctionRecord& function) {
  if (function.name == 0) return false;
  const char* name = reinterpret_cast<const char*>(&function.name) + function.name;
  return begins_with(name, "std::") || begins_with(name, "__gnu_cxx::") ||
         begins_with(name, "__cxxabiv1::") || begins_with(name, "__gthread_");
}

// From now on compiled code keeps its calls inside regions (contract/nested_calls.h). If the function
// is cut at this moment, nests() is false all the same.
void let_nest(FunctionRecord& function) {
  std::atomic_ref<std::uint8_t> flags(function.flags);
  const std::uint8_t now = flags.load(std::memory_order_relaxed);
  if (now < log::kFunctionNests) flags.fetch_or(log::kFunctionNests, std::memory_order_relaxed);
}

// Applies a step of the state machine to the thread; what compiled code reads is in its block.
template <class Step>
void change_regions(Thread& t, Step step) {
  RegionState state{t.block->region_depth, t.calls.loud_edges, t.calls.unlogged_region};
  const bool ends_epoch = step(state);
  t.block->region_depth = state.depth;
  t.calls.loud_edges = state.loud;
  t.calls.unlogged_region = state.unlogged;
  if (!ends_epoch || !g_mode.region_edges_end_epochs) return;
  const bool unlogged = is_unlogged(state, !g_options.logs_outside);
  close_walks(t.block);
  log_accesses(t, !unlogged);
  if (!unlogged) bump_epoch(t);
  call(g_mode.edge_passed, t);
}

void open_region(Thread& t, Closes closes) {
  change_regions(t, [closes](RegionState& state) { return enter(state, closes); });
}
void close_region(Thread& t, Closes closes) {
  ISOSAN_CHECK(closes == Closes::kNever ||
               (is_region(closes) ? t.block->region_depth : t.calls.loud_edges) > 0);
  change_regions(t, [closes](RegionState& state) { return leave(state, closes); });
}

// The plain way, for the checked runtime: the state of the regions, from the list of open edges. The
// counters are kept by compiled code, too, and must come to the same. Long lists are not counted.
[[maybe_unused]] bool counters_match(const Thread& t) {
  constexpr std::uint64_t kLong = 256;
  if (t.calls.count > kLong) return true;
  RegionState state;
  bool logged = true;
  for (std::uint64_t i = 0; i < t.calls.count; ++i) {
    const OpenEdge& edge = t.calls.edges[i];
    enter(state, edge.closes);
    if (edge.logged && !logged) return false;
    logged = edge.logged;
  }
  return state.depth == t.block->region_depth && state.loud == t.calls.loud_edges;
}

// What was gathered was done in the calls that are open.
void come_to_edge(Thread& t) {
  poll(t);
  close_walks(t.block);
  ISOSAN_DEBUG_CHECK(counters_match(t));
}

// The edge is the innermost one, and logged from here on unless it says otherwise.
void open_edge(Thread& t, const OpenEdge& edge) {
  // The calls that are logged are the outermost ones.
  ISOSAN_CHECK(!edge.logged || t.calls.count == 0 || edge_at(t, t.calls.count - 1).logged);
  OpenEdge& open = edge_at(t, t.calls.count++);
  open = edge;
  t.calls.opening = true;
  call(g_mode.entering, t, open);
  t.calls.opening = false;
  if (open.logged) log_edge(t, open.kind, open, open.address);
  open_region(t, open.closes);
  call(g_mode.entered, t, open);
}

// Takes the innermost edge off and logs its end.
void close_innermost(Thread& t) {
  const std::uint64_t depth = --t.calls.count;
  if (depth >= kMaxOpenEdges) return;  // beyond what is kept: its entry was not logged either
  const OpenEdge& edge = edge_at(t, depth);
  if (edge.logged) {
    call(g_mode.leaving, t);
    log_edge(t, end_of(edge.kind), edge, edge.kind == Kind::kBegin ? edge.address : 0);
  }
  close_region(t, edge.closes);
  call(g_mode.left, t, edge);
}

// Closes the innermost edge for which `matches` holds, and what lies above it. Nothing if there is
// none.
template <class Matches>
bool close_matching(Thread& t, Matches matches) {
  for (std::uint64_t i = kept_edges(t); i > 0; --i) {
    if (!matches(edge_at(t, i - 1))) continue;
    while (t.calls.count >= i) close_innermost(t);
    return true;
  }
  return false;
}

}  // namespace

void log_open_calls(Thread& t, std::uint64_t but) {
  if (t.calls.opening && but == 0) but = 1;
  if (kept_edges(t) < but) return;
  const std::uint64_t kept = kept_edges(t) - but;
  std::uint64_t i = kept;
  while (i > 0 && !edge_at(t, i - 1).logged) --i;
  if (i == kept || t.calls.logging) return;
  t.calls.logging = true;  // to append may come here again
  for (; i < kept; ++i) {
    OpenEdge& edge = edge_at(t, i);
    edge.logged = true;
    log_edge(t, edge.kind, edge, edge.address);
  }
  t.calls.logging = false;
}

void log_calls_if_room(Thread& t) {
  log::ThreadBlock& block = *t.block;
  if (g_log.before_append == nullptr || block.open_walks != 0 || block.limit != block.position)
    return;
  std::uint64_t units = 1;  // for the access that comes next
  for (std::uint64_t i = kept_edges(t); i > 0 && !edge_at(t, i - 1).logged; --i) units += 2;
  if (block.room - block.position < units || block.room < block.position) return;
  show_room(block);
  g_log.before_append(&block);
}

void enter_edge(Thread& t, const OpenEdge& edge) {
  come_to_edge(t);
  OpenEdge open = edge;
  open.logged = !call_or(false, g_mode.logged_late, t, edge);
  if (open.logged) log_open_calls(t);  // the calls around it come first
  if (t.calls.count >= kMaxOpenEdges) {
    ++t.calls.count;
    return;
  }
  if (is_region(edge.closes) && !is_fixed(edge) && is_entry(t, edge)) {
    open.closes = Closes::kAlways;
    if (edge.frame != 0) remove_region_at(edge.place);  // whoever else calls it
  }
  open_edge(t, open);
}

void enter_function(Thread& t, std::uint64_t record, std::uint64_t object, Closes closes) {
  FunctionRecord& function = *reinterpret_cast<FunctionRecord*>(record);
  const OpenEdge edge{.place = record,
                      .address = object,
                      .kind = Kind::kCall,
                      .closes = call_or(closes, g_mode.closes, t, function, closes)};
  enter_edge(t, edge);
  if (g_mode.nests_inline) let_nest(function);
}

void leave_function(Thread& t, std::uint64_t record) {
  come_to_edge(t);
  if (t.calls.count > kMaxOpenEdges) {
    --t.calls.count;
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
  if (t.calls.count == 0) return;
  if (t.calls.count > kMaxOpenEdges) {
    --t.calls.count;
    return;
  }
  const OpenEdge& top = edge_at(t, t.calls.count - 1);
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
  while (t.calls.count > 0) {
    if (t.calls.count <= kMaxOpenEdges) {
      const OpenEdge& top = edge_at(t, t.calls.count - 1);
      if (top.frame == 0 || top.frame >= stack_pointer) return;
    }
    close_innermost(t);
  }
}

std::uint64_t open_edges(const Thread& t) { return t.calls.count; }

void unwind_to(Thread& t, std::uint64_t depth) {
  come_to_edge(t);
  while (t.calls.count > depth) close_innermost(t);
}

bool calls_a_region(const Thread& t) {
  for (std::uint64_t i = kept_edges(t); i > 0; --i) {
    const OpenEdge& edge = t.calls.edges[i - 1];
    if (edge.kind != Kind::kCall || is_fixed(edge)) continue;
    const bool region = edge.frame != 0 ? is_region_at(edge.place)
                                        : (record_of(edge).flags & log::kFunctionRegion) != 0;
    if (region) return true;
  }
  return false;
}

namespace {

void end_region(Thread& t, OpenEdge& edge) {
  if (!is_region(edge.closes)) return;
  change_regions(t, [&edge](RegionState& state) { return give_up_region(state, edge.closes); });
}

// True: the function is not the library's.
bool ends_as_it_waits(Thread& t, OpenEdge& edge) {
  FunctionRecord& function = record_of(edge);
  if (is_library_function(function)) return false;
  if (is_fixed(edge)) return true;
  if ((function.flags & log::kFunctionRegion) != 0)
    function.flags = log::kFunctionLogged | log::kFunctionNested | log::kFunctionCut;
  end_region(t, edge);
  return true;
}

}  // namespace

// A function of the __tsan_* front that is not known to be a region may be the library's.
void end_waiting_regions(Thread& t, Waiting waiting) {
  log_open_calls(t);
  bool done = waiting == Waiting::kNone;
  for (std::uint64_t i = kept_edges(t); i > 0 && !(done && t.block->region_depth == 0); --i) {
    OpenEdge& edge = edge_at(t, i - 1);
    if (edge.kind != Kind::kCall) continue;
    if (edge.frame != 0) end_region(t, edge);
    if (done) continue;
    const bool was_here =
        edge.frame != 0 ? remove_region_at(edge.place) : ends_as_it_waits(t, edge);
    done = was_here && waiting == Waiting::kFunction;
  }
}

}  // namespace isosan::rt
