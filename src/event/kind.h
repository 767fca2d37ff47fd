// Everything that can happen in a trace: one table, from which names, dispatch and formats are
// made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace isosan {

// X(kind, name as printed). The order is the on-disk numbering (docs/trace-format.md): append only.
#define ISOSAN_EVENT_KINDS(X)                                                                   \
  X(Read, "read")                /* address, size */                                            \
  X(Write, "write")              /* address, size */                                            \
  X(AtomicLoad, "atomic-load")   /* address, size, order; also a failed compare-exchange */     \
  X(AtomicStore, "atomic-store") /* address, size, order */                                     \
  X(AtomicRmw, "atomic-rmw")     /* address, size, order */                                     \
  X(Fence, "fence")              /* order */                                                    \
  X(Acquire, "acquire")          /* lock, mode, depth: 0 is the outermost, >0 re-entrant */     \
  X(Release, "release")          /* lock, mode, depth */                                        \
  X(Fork, "fork")                /* the child thread */                                         \
  X(Join, "join")                /* the thread joined */                                        \
  X(ThreadStart, "thread-start")                                                                \
  X(ThreadEnd, "thread-end")                                                                    \
  X(Begin, "begin")                  /* region, region kind, object */                          \
  X(End, "end")                      /* region, region kind, object */                          \
  X(Call, "call")                    /* function, object (this) or 0 */                         \
  X(Return, "return")                /* function */                                             \
  X(WaitBegin, "wait-begin")         /* condition; its mutex has its own release and acquire */ \
  X(WaitEnd, "wait-end")             /* condition, outcome: notified or timed out */            \
  X(Notify, "notify")                /* condition, one or all */                                \
  X(BarrierArrive, "barrier-arrive") /* barrier or latch, generation */                         \
  X(BarrierDepart, "barrier-depart") /* barrier or latch, generation */                         \
  X(SemaphorePost, "semaphore-post")                                                            \
  X(SemaphoreWait, "semaphore-wait") /* returned from, successfully */                          \
  X(OnceDone, "once-done")           /* the initializer has run, in this thread */              \
  X(OnceSeen, "once-seen")           /* passed a once that is done */                           \
  X(Publish, "publish")              /* happens-before annotation, futures: release-like */     \
  X(Observe, "observe")              /* happens-before annotation, futures: acquire-like */     \
  X(Allocate, "allocate")            /* address, size: new locations, where from */             \
  X(Free, "free")                    /* address, size, where from */

enum class Kind : std::uint8_t {
#define ISOSAN_KIND(kind, name) k##kind,
  ISOSAN_EVENT_KINDS(ISOSAN_KIND)
#undef ISOSAN_KIND
};

inline constexpr std::string_view kKindNames[] = {
#define ISOSAN_KIND(kind, name) name,
    ISOSAN_EVENT_KINDS(ISOSAN_KIND)
#undef ISOSAN_KIND
};
inline constexpr std::size_t kKindCount = sizeof(kKindNames) / sizeof(kKindNames[0]);

constexpr std::string_view name_of(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

// What a schedule can stop before (schedule.h) and a thread counts.
// Call, Return, Begin, End, allocations, thread start and end and the second halves of waiting
// (WaitEnd, BarrierDepart) are none.
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

// The values of Event::detail, by kind.
enum class MemoryOrder : std::uint8_t { kRelaxed, kConsume, kAcquire, kRelease, kAcqRel, kSeqCst };
// Beside the order of an AtomicRmw or AtomicLoad: it is a compare-exchange that was done or failed.
inline constexpr std::uint8_t kCompareExchange = 8;
constexpr MemoryOrder order_in(std::uint8_t detail) {
  return static_cast<MemoryOrder>(detail & ~kCompareExchange);
}
enum class LockMode : std::uint8_t { kExclusive, kShared };
// Beside the mode of a Release: after a try for another lock that was in vain, and before the next
// acquire. The thread gives up what it had, to begin again (std::lock, std::scoped_lock). Where
// contended words are logged but once (LogHeader::locksets), only if it met none while it had it.
inline constexpr std::uint8_t kBacksOff = 8;
constexpr LockMode mode_in(std::uint8_t detail) {
  return static_cast<LockMode>(detail & ~kBacksOff);
}
enum class RegionKind : std::uint8_t { kAtomic, kDeterministic, kUnit };
enum class WaitOutcome : std::uint8_t { kNotified, kTimedOut };
enum class NotifyScope : std::uint8_t { kOne, kAll };
enum class MemoryOrigin : std::uint8_t { kHeap, kMapping, kStack };

}  // namespace isosan
