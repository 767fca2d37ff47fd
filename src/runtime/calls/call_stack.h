// The open calls and regions of a thread. Both edges of each are logged, and the log is balanced
// whatever the program does.
//
// An exit may not match the innermost entry, because longjmp skipped some. Then the calls above its
// own entry are closed first. In a program built with the pass, the calls that longjmp skipped are
// closed at the setjmp that returns again. Which edges end an epoch is in regions.h.
//
// A mode may log calls late (Mode::logged_late). Such a call is logged right before the first event
// in it that matters; a call without such an event is never logged. Law: the calls that are logged
// are the outermost ones of those that are open.
#pragma once

#include <cstdint>

#include "event/kind.h"
#include "event/waiting.h"
#include "runtime/calls/regions.h"
#include "runtime/thread/thread.h"

namespace isosan::rt {

struct OpenEdge {
  std::uint64_t place = 0;  // function record, site of the block, or program counter
  std::uint64_t address = 0;
  std::uint64_t frame = 0;  // the __tsan_* front: the function's stack pointer
  std::uint64_t name = 0;   // of a block without a site
  Kind kind{};              // kCall or kBegin
  std::uint8_t detail = 0;
  Closes closes{};
  bool logged = true;         // its beginning is in the log
  std::uint64_t of_mode = 0;  // what the mode keeps of it
};
static_assert(sizeof(OpenEdge) == kOpenEdgeBytes);
static_assert(offsetof(OpenEdge, place) == kOffsetEdgePlace);
static_assert(offsetof(OpenEdge, address) == kOffsetEdgeAddress);
static_assert(offsetof(OpenEdge, frame) == kOffsetEdgeFrame);
static_assert(offsetof(OpenEdge, name) == kOffsetEdgeFrame + 8);
static_assert(offsetof(OpenEdge, kind) == kOffsetEdgeKind);
static_assert(offsetof(OpenEdge, detail) == kOffsetEdgeKind + 1);
static_assert(offsetof(OpenEdge, closes) == kOffsetEdgeKind + 2);
static_assert(offsetof(OpenEdge, logged) == kOffsetEdgeKind + 3);
static_assert(offsetof(OpenEdge, of_mode) == kOffsetEdgeOfMode);
static_assert(static_cast<int>(Closes::kNever) == 0 && static_cast<int>(Closes::kOutermost) == 1);

// Of the pass: the record is known. The others are of the __tsan_* front.
inline bool is_pass_function(const OpenEdge& edge) {
  return edge.kind == Kind::kCall && edge.frame == 0;
}

void enter_edge(Thread& t, const OpenEdge& edge);
// The same for a function of the pass; and: the function of this record ends.
void enter_function(Thread& t, std::uint64_t record, std::uint64_t object, Closes closes);
void leave_function(Thread& t, std::uint64_t record);
// The innermost block of this kind (detail) ends; at this site if that is not 0.
void leave_block(Thread& t, std::uint64_t site, std::uint8_t detail);
// The function that was entered with this frame ends, at this program counter.
void leave_frame(Thread& t, std::uint64_t frame, std::uint64_t pc);

// longjmp leads to a function with this stack pointer: those below it are left.
void leave_frames_below(Thread& t, std::uint64_t stack_pointer);

std::uint64_t open_edges(const Thread& t);
void unwind_to(Thread& t, std::uint64_t depth);

// Logs the open calls that are not logged yet, except for the innermost `but` ones.
void log_open_calls(Thread& t, std::uint64_t but = 0);
// The same without waiting for the reader, where the room is hidden because of these calls.
void log_calls_if_room(Thread& t);
inline bool are_calls_logged(const Thread& t) {
  const std::uint64_t depth = t.calls.count - 1;
  return depth < kMaxOpenEdges && t.calls.edges[depth].logged;
}
// Hook of modes that log calls late (Mode::before_event): what is logged next happens in the open
// calls.
inline void log_calls(Thread& t) {
  if (!are_calls_logged(t)) log_open_calls(t);
}

// The thread is about to wait or to notify: functions in which that happens are no regions by
// heuristic from here on, and their open regions end. Of the pass these are the functions for which
// the reader decides the same (spec/region_stage.h); of the __tsan_* front they may be more.
void end_waiting_regions(Thread& t, Waiting waiting);
// Is there one among the open calls?
bool calls_a_region(const Thread& t);

}  // namespace isosan::rt
