// Checks whether an event from a file is valid. All stages after the readers rely on it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "event/event.h"
#include "event/tables.h"
#include "runtime/contract/log_format.h"

namespace isosan {

// The highest value of Event::detail for a kind.
constexpr std::uint8_t highest_detail(Kind kind) {
  switch (payload_of(kind)) {
    case Payload::kAccess:
      return is_atomic(kind) ? static_cast<std::uint8_t>(MemoryOrder::kSeqCst) : std::uint8_t{0};
    case Payload::kOrder:
      return static_cast<std::uint8_t>(MemoryOrder::kSeqCst);
    case Payload::kLock:
      return static_cast<std::uint8_t>(LockMode::kShared);
    case Payload::kRegion:
      return static_cast<std::uint8_t>(RegionKind::kUnit);
    case Payload::kOutcome:
      return static_cast<std::uint8_t>(WaitOutcome::kTimedOut);
    case Payload::kScope:
      return static_cast<std::uint8_t>(NotifyScope::kAll);
    case Payload::kMemory:
      return static_cast<std::uint8_t>(MemoryOrigin::kStack);
    case Payload::kNothing:
    case Payload::kThread:
    case Payload::kFunction:
    case Payload::kObject:
    case Payload::kGeneration:
      return 0;
  }
  return 0;
}

// Beside the value, atomic operations have marks, and a release that backs off has a bit of its own.
constexpr bool is_detail_of(Kind kind, unsigned detail) {
  detail &= ~unsigned{marks_of(kind)};
  if (kind == Kind::kRelease) detail &= ~unsigned{kBacksOff};
  return detail <= highest_detail(kind);
}

constexpr bool names_thread(Kind kind) { return payload_of(kind) == Payload::kThread; }

// Kind, detail and ids; not the thread, not the address.
inline bool makes_sense(const Event& e, const Tables& tables) {
  if (static_cast<std::size_t>(e.kind) >= kKindCount || !is_detail_of(e.kind, e.detail)) {
    return false;
  }
  if (is_access(e.kind) && is_walk(e)) return false;  // files have single accesses
  if (index(e.site) >= tables.sites.size() || index(e.context) >= tables.contexts.size()) {
    return false;
  }
  if (payload_of(e.kind) == Payload::kRegion) return e.size < tables.regions.size();
  if (payload_of(e.kind) == Payload::kFunction) return e.size < tables.functions.size();
  return true;
}

}  // namespace isosan
