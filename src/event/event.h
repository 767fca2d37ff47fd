// The event: one record of the linear stream, and the typed views that analyses handle.
//
// Model: a trace is a sequence of Events in an order in which every pair of conflicting operations
// is in the order in which it happened. An analysis never sees an Event: it sees a Read, an
// Acquire, a Begin, ... by value, built by dispatch() (analysis.h) and optimized away by inlining.
// `Where` is what a finding keeps of an event.
#pragma once

#include <cstdint>

#include "event/ids.h"
#include "event/kind.h"

namespace isosan {

struct Event {
  Kind kind{};
  std::uint8_t detail = 0;  // MemoryOrder, LockMode, RegionKind, ... by kind (kind.h)
  std::uint16_t depth = 0;  // Acquire, Release: how often the thread holds the lock already;
                            // accesses: 0, or it is a walk (see below)
  ThreadId thread{};
  std::uint64_t address = 0;  // location, lock, condition, object; Fork and Join: the other thread
  std::uint64_t size = 0;  // bytes; BarrierArrive, BarrierDepart: generation; Begin, End: RegionId;
                           // Call, Return: FunctionId
  SiteId site{};
  ContextId context{};

  bool operator==(const Event&) const = default;
};
static_assert(sizeof(Event) == 32);

// A walk: `count` accesses of `size` bytes each, the first at the event's address and each next one
// `stride` bytes (modulo 2^64) further, as one event. Sources give walks only if they were
// asked to; dispatch() (analysis.h) splits them for analyses that do not handle them. In the
// event `depth` is the size and `size` holds count and stride, 32 bits each.
struct WalkSteps {
  std::uint64_t size = 0;
  std::uint64_t count = 0;
  std::uint64_t stride = 0;
};
constexpr bool fits_event(const WalkSteps& steps) {
  return steps.size - 1 < 0xffff && steps.count >> 32 == 0 &&
         steps.stride + 0x8000'0000 <= 0xffff'ffff;
}
constexpr void make_walk(Event& access, const WalkSteps& steps) {
  access.depth = static_cast<std::uint16_t>(steps.size);
  access.size = steps.count | steps.stride << 32;
}
constexpr bool is_walk(const Event& access) { return access.depth != 0; }
constexpr WalkSteps steps_of(const Event& walk) {
  return {walk.depth, walk.size & 0xffff'ffff,
          static_cast<std::uint64_t>(static_cast<std::int64_t>(walk.size) >> 32)};
}

// Where in the execution: position in the linear order (from 0), thread, program point and stack.
struct Where {
  std::uint64_t ordinal = 0;
  ThreadId thread{};
  SiteId site{};
  ContextId context{};

  bool operator==(const Where&) const = default;
};
static_assert(sizeof(Where) == 24);

struct Access {
  Where where;
  Address address;
  std::uint64_t size;
};
struct Read : Access {};
struct Write : Access {};

template <class AnyAccess>
struct Walk {  // see WalkSteps
  AnyAccess first;
  std::uint64_t count;
  std::uint64_t stride;

  template <class F>
  void for_each(F&& f) const {  // access, in order
    AnyAccess access = first;
    for (std::uint64_t i = 0; i < count; ++i, access.address += stride) f(access);
  }
};

struct AtomicAccess : Access {
  MemoryOrder order;
  bool compares = false;    // a compare-exchange
  bool value_used = false;  // see kValueUsed
};
struct AtomicLoad : AtomicAccess {};
struct AtomicStore : AtomicAccess {};
struct AtomicRmw : AtomicAccess {};
struct Fence {
  Where where;
  MemoryOrder order;
};

struct LockOperation {
  Where where;
  Address lock;
  LockMode mode;
  std::uint16_t depth;  // 0: the outermost acquire, or the last release
};
struct Acquire : LockOperation {};
struct Release : LockOperation {
  bool backs_off = false;  // see kBacksOff
};

struct ThreadOperation {
  Where where;
  ThreadId other;
};
struct Fork : ThreadOperation {};
struct Join : ThreadOperation {};
struct ThreadStart {
  Where where;
};
struct ThreadEnd {
  Where where;
};

struct RegionEdge {
  Where where;
  RegionKind kind;
  RegionId region;
  Address object;
};
struct Begin : RegionEdge {};
struct End : RegionEdge {};

struct CallEdge {
  Where where;
  FunctionId function;
  Address object;
};
struct Call : CallEdge {};
struct Return : CallEdge {};

struct SyncOperation {
  Where where;
  Address object;
};
struct WaitBegin : SyncOperation {};
struct WaitEnd : SyncOperation {
  WaitOutcome outcome;
};
struct Notify : SyncOperation {
  NotifyScope scope;
};
struct BarrierOperation : SyncOperation {
  std::uint64_t generation;
};
struct BarrierArrive : BarrierOperation {};
struct BarrierDepart : BarrierOperation {};
struct SemaphorePost : SyncOperation {};
struct SemaphoreWait : SyncOperation {};
struct OnceDone : SyncOperation {};
struct OnceSeen : SyncOperation {};
struct Publish : SyncOperation {};
struct Observe : SyncOperation {};

struct MemoryOperation {
  Where where;
  Address address;
  std::uint64_t size;
  MemoryOrigin origin;
};
struct Allocate : MemoryOperation {};
struct Free : MemoryOperation {};

}  // namespace isosan
