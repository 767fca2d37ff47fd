// The open calls and regions of a thread: logged at both edges, balanced whatever the program does.
//
// An exit that does not match the innermost entry (longjmp went over some) closes what lies above
// its own entry first; what longjmp skips in a program of the pass is closed at the setjmp that
// returns again.
#pragma once

#include <cstdint>

#include "event/kind.h"
#include "runtime/ownership/thread.h"

namespace isosan::rt {

struct OpenEdge {
  std::uint64_t place = 0;  // function record, site of the block, or program counter
  std::uint64_t address = 0;
  std::uint64_t frame = 0;  // the __tsan_* front: the function's stack pointer
  Kind kind{};              // kCall or kBegin
  std::uint8_t detail = 0;
  bool closes_epoch = false;  // at the outermost region edges
};
static_assert(sizeof(OpenEdge) == kOpenEdgeBytes);

void enter_edge(Thread& t, const OpenEdge& edge);
// The function of this record ends.
void leave_function(Thread& t, std::uint64_t record);
// The innermost block of this kind (detail) ends; at this site if that is not 0.
void leave_block(Thread& t, std::uint64_t site, std::uint8_t detail);
// The function that was entered with this frame ends, at this program counter.
void leave_frame(Thread& t, std::uint64_t frame, std::uint64_t pc);

// longjmp leads to a function with this stack pointer: those below it are left.
void leave_frames_below(Thread& t, std::uint64_t stack_pointer);

std::uint64_t open_edges(const Thread& t);
void unwind_to(Thread& t, std::uint64_t depth);

}  // namespace isosan::rt
