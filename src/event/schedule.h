// A schedule: which thread runs, and how far, so that an execution goes the way somebody wants.
//
// Model: every thread counts the operations it has executed (is_operation), from 0; the count
// depends on that thread alone and means the same thing in every run. In full mode every operation
// is an event of the trace, so that the count of an operation is the number of operations of its
// thread before it in the trace. A step (T, n) lets T alone run until it is about to execute its
// operation n; an operation that blocks gives way. Behind the last step `first_after` goes first
// and the run stays serialized.
//
// Threads are named by birth path (Thread::birth_path): the same name in every run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/kind.h"

namespace isosan {

// Call, Return, Begin, End, allocations, thread start and end and the second halves of waiting
// (WaitEnd, BarrierDepart) are no points at which a schedule can stop.
constexpr bool is_operation(Kind kind) {
  switch (kind) {
    case Kind::kRead:
    case Kind::kWrite:
    case Kind::kAtomicLoad:
    case Kind::kAtomicStore:
    case Kind::kAtomicRmw:
    case Kind::kFence:
    case Kind::kAcquire:
    case Kind::kRelease:
    case Kind::kFork:
    case Kind::kJoin:
    case Kind::kWaitBegin:
    case Kind::kNotify:
    case Kind::kBarrierArrive:
    case Kind::kSemaphorePost:
    case Kind::kSemaphoreWait:
    case Kind::kOnceDone:
    case Kind::kOnceSeen:
    case Kind::kPublish:
    case Kind::kObserve:
      return true;
    case Kind::kThreadStart:
    case Kind::kThreadEnd:
    case Kind::kBegin:
    case Kind::kEnd:
    case Kind::kCall:
    case Kind::kReturn:
    case Kind::kWaitEnd:
    case Kind::kBarrierDepart:
    case Kind::kAllocate:
    case Kind::kFree:
      return false;
  }
  return false;
}

struct ScheduleStep {
  std::string thread;       // birth path
  std::uint64_t until = 0;  // runs while it has executed fewer operations than this

  bool operator==(const ScheduleStep&) const = default;
};

struct Schedule {
  std::vector<std::string> build_ids;  // of the instrumented modules; a changed binary is refused
  std::vector<ScheduleStep> steps;
  std::string first_after;         // birth path; empty: whoever ran last
  std::vector<std::string> notes;  // what it is meant to show, for people

  bool operator==(const Schedule&) const = default;
};

}  // namespace isosan
