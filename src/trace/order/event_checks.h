// Does an event that came from a file make sense? Everything behind the readers relies on it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "event/event.h"
#include "event/tables.h"
#include "runtime/contract/log_format.h"

namespace isosan {

// The highest value of Event::detail for a kind.
constexpr std::uint8_t highest_detail(Kind kind) {
  switch (kind) {
    case Kind::kAtomicLoad:
    case Kind::kAtomicStore:
    case Kind::kAtomicRmw:
    case Kind::kFence:
      return static_cast<std::uint8_t>(MemoryOrder::kSeqCst);
    case Kind::kAcquire:
    case Kind::kRelease:
      return static_cast<std::uint8_t>(LockMode::kShared);
    case Kind::kBegin:
    case Kind::kEnd:
      return static_cast<std::uint8_t>(RegionKind::kUnit);
    case Kind::kWaitEnd:
      return static_cast<std::uint8_t>(WaitOutcome::kTimedOut);
    case Kind::kNotify:
      return static_cast<std::uint8_t>(NotifyScope::kAll);
    case Kind::kAllocate:
    case Kind::kFree:
      return static_cast<std::uint8_t>(MemoryOrigin::kStack);
    case Kind::kRead:
    case Kind::kWrite:
    case Kind::kFork:
    case Kind::kJoin:
    case Kind::kThreadStart:
    case Kind::kThreadEnd:
    case Kind::kCall:
    case Kind::kReturn:
    case Kind::kWaitBegin:
    case Kind::kBarrierArrive:
    case Kind::kBarrierDepart:
    case Kind::kSemaphorePost:
    case Kind::kSemaphoreWait:
    case Kind::kOnceDone:
    case Kind::kOnceSeen:
    case Kind::kPublish:
    case Kind::kObserve:
      return 0;
  }
  return 0;
}

// Beside the value, a compare-exchange and a release that backs off have a bit of their own.
constexpr bool is_detail_of(Kind kind, unsigned detail) {
  if (kind == Kind::kAtomicLoad || kind == Kind::kAtomicRmw) detail &= ~unsigned{kCompareExchange};
  if (kind == Kind::kRelease) detail &= ~unsigned{kBacksOff};
  return detail <= highest_detail(kind);
}

constexpr bool names_thread(Kind kind) { return kind == Kind::kFork || kind == Kind::kJoin; }

// Kind, detail and ids; not the thread, not the address.
inline bool makes_sense(const Event& e, const Tables& tables) {
  if (static_cast<std::size_t>(e.kind) >= kKindCount || !is_detail_of(e.kind, e.detail)) {
    return false;
  }
  if (log::is_access(e.kind) && is_walk(e)) return false;  // files have single accesses
  if (index(e.site) >= tables.sites.size() || index(e.context) >= tables.contexts.size()) {
    return false;
  }
  if (e.kind == Kind::kBegin || e.kind == Kind::kEnd) return e.size < tables.regions.size();
  if (e.kind == Kind::kCall || e.kind == Kind::kReturn) return e.size < tables.functions.size();
  return true;
}

}  // namespace isosan
