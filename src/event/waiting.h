// Functions that wait for other threads, or wake them, are no regions by heuristic
// (docs/regions.md): which operations count, and for whom. One table for the runtime, which learns
// of them as they happen, and for whoever makes regions of the events; the pass has the names of
// the functions instead (pass/tables/function_traits.cc).
#pragma once

#include "event/kind.h"

namespace isosan {

enum class Waiting : std::uint8_t {
  kNobody,
  kFunction,  // the innermost function that is not the library's
  kCallers,   // that one and all that have called it: nobody can be atomic around another
              // thread's whole life
};

constexpr Waiting waiting_of(Kind kind) {
  switch (kind) {
    case Kind::kWaitBegin:
    case Kind::kNotify:
    case Kind::kBarrierArrive:
    case Kind::kBarrierDepart:
    case Kind::kSemaphorePost:
    case Kind::kSemaphoreWait:
      return Waiting::kFunction;
    case Kind::kJoin:
      return Waiting::kCallers;
    case Kind::kRead:
    case Kind::kWrite:
    case Kind::kAtomicLoad:
    case Kind::kAtomicStore:
    case Kind::kAtomicRmw:
    case Kind::kFence:
    case Kind::kAcquire:
    case Kind::kRelease:
    case Kind::kFork:
    case Kind::kThreadStart:
    case Kind::kThreadEnd:
    case Kind::kBegin:
    case Kind::kEnd:
    case Kind::kCall:
    case Kind::kReturn:
    case Kind::kWaitEnd:
    case Kind::kOnceDone:
    case Kind::kOnceSeen:
    case Kind::kPublish:
    case Kind::kObserve:
    case Kind::kAllocate:
    case Kind::kFree:
      return Waiting::kNobody;
  }
  return Waiting::kNobody;
}

}  // namespace isosan
