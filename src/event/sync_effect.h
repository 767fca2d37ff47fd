// What a synchronization operation means for order: one table, used by every analysis that follows
// synchronization edges (and by the runtime's clocks).
//
// Model: each synchronization object has two slots. W is the last operation that everything later
// comes after; R collects operations that do not order each other. An operation first observes
// (comes after what is in W, in R, or both), then leaves itself behind (replaces W and clears R, or
// joins R). A reader-writer lock needs both slots; a semaphore, a barrier or a condition uses only
// R.
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

// Re-entrant acquires and releases (depth > 0) and waits that timed out have no effect at all. A
// thread that acquires a lock shared does not come after the others that share it. When it releases
// the lock it joins them in R.
constexpr SyncEffect sync_effect(Kind kind, std::uint8_t detail, std::uint16_t depth = 0) {
  if (kind == Kind::kWaitEnd && detail == static_cast<std::uint8_t>(WaitOutcome::kTimedOut))
    return {};
  if (payload_of(kind) == Payload::kLock) {
    if (depth > 0) return {};
    if (mode_in(detail) == LockMode::kShared)
      return kind == Kind::kAcquire ? SyncEffect{.observes_w = true} : SyncEffect{.joins_r = true};
  }
  return {.observes_w = has(kind, trait::kObservesW),
          .observes_r = has(kind, trait::kObservesR),
          .sets_w = has(kind, trait::kSetsW),
          .joins_r = has(kind, trait::kJoinsR)};
}

}  // namespace isosan
