// What a synchronization operation means for order: one table, used by every analysis that follows
// synchronization edges (and by the runtime's clocks).
//
// Model: each synchronization object has two slots. W is the last operation that everything later
// comes after; R collects operations that do not order each other. An operation first observes
// (comes after what stands in W, in R, or both), then leaves itself behind (replaces W and clears
// R, or joins R). A reader-writer lock needs both slots; a semaphore, a barrier or a condition uses
// R alone.
#pragma once

#include <cstdint>

#include "event/event.h"

namespace isosan {

struct SyncEffect {
  bool observes_w = false;
  bool observes_r = false;
  bool sets_w = false;  // replaces W, clears R
  bool joins_r = false;
};

// Re-entrant acquires and releases (depth > 0) and waits that timed out have no effect at all.
constexpr SyncEffect sync_effect(Kind kind, std::uint8_t detail, std::uint16_t depth = 0) {
  const bool shared = mode_in(detail) == LockMode::kShared;
  switch (kind) {
    case Kind::kAcquire:
      if (depth > 0) return {};
      return shared ? SyncEffect{.observes_w = true}
                    : SyncEffect{.observes_w = true, .observes_r = true};
    case Kind::kRelease:
      if (depth > 0) return {};
      return shared ? SyncEffect{.joins_r = true} : SyncEffect{.sets_w = true};
    case Kind::kFork:       // the object is the child thread
    case Kind::kThreadEnd:  // the object is the ending thread
    case Kind::kOnceDone:
      return {.sets_w = true};
    case Kind::kThreadStart:
    case Kind::kJoin:
    case Kind::kOnceSeen:
      return {.observes_w = true};
    case Kind::kNotify:
    case Kind::kBarrierArrive:
    case Kind::kSemaphorePost:
    case Kind::kPublish:
      return {.joins_r = true};
    case Kind::kWaitEnd:
      if (detail == static_cast<std::uint8_t>(WaitOutcome::kTimedOut)) return {};
      return {.observes_r = true};
    case Kind::kBarrierDepart:
    case Kind::kSemaphoreWait:
    case Kind::kObserve:
      return {.observes_r = true};
    case Kind::kRead:
    case Kind::kWrite:
    case Kind::kAtomicLoad:
    case Kind::kAtomicStore:
    case Kind::kAtomicRmw:
    case Kind::kFence:
    case Kind::kBegin:
    case Kind::kEnd:
    case Kind::kCall:
    case Kind::kReturn:
    case Kind::kWaitBegin:
    case Kind::kAllocate:
    case Kind::kFree:
      return {};
  }
  return {};
}

}  // namespace isosan
