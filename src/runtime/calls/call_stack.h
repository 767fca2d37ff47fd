// The open calls and regions of a thread: logged at both edges, balanced whatever the program does.
//
// An exit that does not match the innermost entry (longjmp went over some) closes what lies above
// its own entry first; what longjmp skips in a program of the pass is closed at the setjmp that
// returns again.
//
// Where no accesses are logged nobody asks for stacks: a call inside of a region is told only if
// the thread waits in it (note_wait), because the region may then be none. Where locksets are asked
// for, a call is told when something in it is that matters (tell_calls): what a thread does with
// its own words does not. The first call of each function always is. Where units of work are asked
// for, a call is told when something is logged in it (modes/units.h).
#pragma once

#include <cstdint>

#include "event/kind.h"
#include "event/waiting.h"
#include "runtime/thread/thread.h"

namespace isosan::rt {

// When an edge closes the epoch. The reader's regions (spec/region_stage.h) are the kOutermost ones
// or fewer: to close more epochs costs entries, to close fewer loses accesses.
enum class Closes : std::uint8_t {
  kNever,
  kOutermost,  // a region: at its edges, if it lies in no other
  kQuiet,      // the same, but its accesses are not logged if it lies in no other
  kAlways,     // may be one, or is one that does not make its accesses one transaction
  kNoUnit,     // the same; where units of work are asked for it is certainly none
};

struct OpenEdge {
  std::uint64_t place = 0;  // function record, site of the block, or program counter
  std::uint64_t address = 0;
  std::uint64_t frame = 0;  // the __tsan_* front: the function's stack pointer
  std::uint64_t name = 0;   // of a block without a site
  Kind kind{};              // kCall or kBegin
  std::uint8_t detail = 0;
  Closes closes{};
  bool told = true;          // it is in the log
  std::uint64_t logged = 0;  // Thread::logged_to when it was entered
};
static_assert(sizeof(OpenEdge) == kOpenEdgeBytes);

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

// What is logged next happens in the calls that are open. Those that are told are the outermost
// ones.
void tell_untold_calls(Thread& t);
inline void tell_calls(Thread& t) {
  const std::uint64_t depth = t.open_edge_count - 1;
  const bool all_told = depth < kMaxOpenEdges && t.open_edges[depth].told;
  if ((g_log.locksets || g_log.units) && !all_told) tell_untold_calls(t);
}

// The thread is about to wait or to notify: functions in which that happens are no regions by
// heuristic from here on.
void note_wait(Thread& t, Waiting waiting);

}  // namespace isosan::rt
