// Everything that can happen in a trace: one table, from which names, traits, dispatch and formats
// are made. A question about kinds is a column here, not a switch somewhere else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace isosan {

// Which fields of an event are used, by kind (event.h).
enum class Payload : std::uint8_t {
  kNothing,
  kAccess,      // address, size; atomic ones: order
  kOrder,       // order
  kLock,        // lock, mode, depth: 0 is the outermost, > 0 re-entrant
  kThread,      // the other thread
  kRegion,      // region, region kind, object
  kFunction,    // function, object (this) or 0
  kObject,      // the synchronization object
  kOutcome,     // the condition; notified or timed out
  kScope,       // the condition; one or all
  kGeneration,  // the barrier or latch, generation
  kMemory,      // address, size, where from
};

// Traits, as bits.
using KindTraits = std::uint16_t;
namespace trait {
inline constexpr KindTraits kReads = 1;  // of memory
inline constexpr KindTraits kWrites = 2;
inline constexpr KindTraits kAtomic = 4;
// What a schedule can stop before (schedule.h) and a thread counts. The second halves of waiting
// (WaitEnd, BarrierDepart) are none.
inline constexpr KindTraits kOperation = 8;
// A thread's history is divided there (dependence.h): region edges, and operations that publish.
inline constexpr KindTraits kCut = 16;
// Order (sync_effect.h): comes after what stands in W, in R; replaces W and clears R; joins R.
inline constexpr KindTraits kObservesW = 32;
inline constexpr KindTraits kObservesR = 64;
inline constexpr KindTraits kSetsW = 128;
inline constexpr KindTraits kJoinsR = 256;
// A function that does this is no region by heuristic (waiting.h), nor are its callers.
inline constexpr KindTraits kWaits = 512;
inline constexpr KindTraits kWaitsForCallers = 1024;
// After it something is not as before, for other threads (stillness.h).
inline constexpr KindTraits kChanges = 2048;
}  // namespace trait

// X(kind, name as printed, payload, traits). The order is the on-disk numbering
// (trace-format.md): append only.
//   AtomicLoad       also a compare-exchange that failed
//   WaitBegin        its mutex has its own release and acquire
//   WaitEnd          timed out: also a failed try for a lock, semaphore or latch
//   SemaphoreWait    returned from, successfully
//   OnceDone         the initializer has run, in this thread
//   OnceSeen         passed a once that is done
//   Publish, Observe annotations, futures
// clang-format off
#define ISOSAN_EVENT_KINDS(X)                                                                                \
  X(Read,          "read",           kAccess,     kReads | kOperation)                                       \
  X(Write,         "write",          kAccess,     kWrites | kOperation | kChanges)                           \
  X(AtomicLoad,    "atomic-load",    kAccess,     kReads | kAtomic | kOperation)                             \
  X(AtomicStore,   "atomic-store",   kAccess,     kWrites | kAtomic | kOperation | kChanges)                 \
  X(AtomicRmw,     "atomic-rmw",     kAccess,     kReads | kWrites | kAtomic | kOperation | kChanges)        \
  X(Fence,         "fence",          kOrder,      kOperation)                                                \
  X(Acquire,       "acquire",        kLock,       kOperation | kObservesW | kObservesR)                      \
  X(Release,       "release",        kLock,       kOperation | kCut | kSetsW)                                \
  X(Fork,          "fork",           kThread,     kOperation | kCut | kSetsW | kWaitsForCallers | kChanges)  \
  X(Join,          "join",           kThread,     kOperation | kObservesW | kWaitsForCallers | kChanges)     \
  X(ThreadStart,   "thread-start",   kNothing,    kObservesW | kChanges)                                     \
  X(ThreadEnd,     "thread-end",     kNothing,    kCut | kSetsW | kChanges)                                  \
  X(Begin,         "begin",          kRegion,     kCut)                                                      \
  X(End,           "end",            kRegion,     kCut)                                                      \
  X(Call,          "call",           kFunction,   0)                                                         \
  X(Return,        "return",         kFunction,   0)                                                         \
  X(WaitBegin,     "wait-begin",     kObject,     kOperation | kWaitsForCallers)                             \
  X(WaitEnd,       "wait-end",       kOutcome,    kObservesR)                                                \
  X(Notify,        "notify",         kScope,      kOperation | kCut | kJoinsR | kWaits | kChanges)           \
  X(BarrierArrive, "barrier-arrive", kGeneration, kOperation | kCut | kJoinsR | kWaitsForCallers | kChanges) \
  X(BarrierDepart, "barrier-depart", kGeneration, kObservesR | kWaitsForCallers | kChanges)                  \
  X(SemaphorePost, "semaphore-post", kObject,     kOperation | kCut | kJoinsR | kWaits | kChanges)           \
  X(SemaphoreWait, "semaphore-wait", kObject,     kOperation | kObservesR | kWaitsForCallers | kChanges)     \
  X(OnceDone,      "once-done",      kObject,     kOperation | kCut | kSetsW | kChanges)                     \
  X(OnceSeen,      "once-seen",      kObject,     kOperation | kObservesW)                                   \
  X(Publish,       "publish",        kObject,     kOperation | kCut | kJoinsR | kChanges)                    \
  X(Observe,       "observe",        kObject,     kOperation | kObservesR)                                   \
  X(Allocate,      "allocate",       kMemory,     kChanges)                                                  \
  X(Free,          "free",           kMemory,     kChanges)
// clang-format on

enum class Kind : std::uint8_t {
#define ISOSAN_KIND(kind, name, payload, traits) k##kind,
  ISOSAN_EVENT_KINDS(ISOSAN_KIND)
#undef ISOSAN_KIND
};

struct KindRow {
  std::string_view name;
  Payload payload;
  KindTraits traits;
};
namespace trait {
inline constexpr KindRow kRows[] = {
#define ISOSAN_KIND(kind, name, payload, traits) {name, Payload::payload, traits},
    ISOSAN_EVENT_KINDS(ISOSAN_KIND)
#undef ISOSAN_KIND
};
}  // namespace trait
inline constexpr std::size_t kKindCount = sizeof(trait::kRows) / sizeof(trait::kRows[0]);

constexpr const KindRow& row_of(Kind kind) { return trait::kRows[static_cast<std::size_t>(kind)]; }
constexpr bool has(Kind kind, KindTraits traits) { return (row_of(kind).traits & traits) != 0; }

constexpr std::string_view name_of(Kind kind) { return row_of(kind).name; }
constexpr Payload payload_of(Kind kind) { return row_of(kind).payload; }
constexpr bool is_access(Kind kind) { return payload_of(kind) == Payload::kAccess; }
constexpr bool is_atomic(Kind kind) { return has(kind, trait::kAtomic); }
constexpr bool reads(Kind kind) { return has(kind, trait::kReads); }
constexpr bool writes(Kind kind) { return has(kind, trait::kWrites); }
constexpr bool is_operation(Kind kind) { return has(kind, trait::kOperation); }
constexpr bool is_cut(Kind kind) { return has(kind, trait::kCut); }

// The values of Event::detail, by kind.
enum class MemoryOrder : std::uint8_t { kRelaxed, kConsume, kAcquire, kRelease, kAcqRel, kSeqCst };
// Beside the order of an AtomicRmw or AtomicLoad: it is a compare-exchange that was done or failed.
inline constexpr std::uint8_t kCompareExchange = 8;
// Beside the order of an AtomicRmw: it stored the value that it had read; it added or subtracted 1.
inline constexpr std::uint8_t kUnchanged = 16;
inline constexpr std::uint8_t kStep = 32;
// ... the program uses the value that it had read (not set: it does not, or nobody knows).
inline constexpr std::uint8_t kValueUsed = 64;
constexpr MemoryOrder order_in(std::uint8_t detail) { return static_cast<MemoryOrder>(detail & 7); }
constexpr std::uint8_t marks_of(Kind kind) {
  if (kind == Kind::kAtomicLoad) return kCompareExchange;
  return kind == Kind::kAtomicRmw ? kCompareExchange | kUnchanged | kStep | kValueUsed : 0;
}
enum class LockMode : std::uint8_t { kExclusive, kShared };
// Beside the mode of a Release: the thread backs off. Its try for another lock has failed, and it
// releases this one before its next acquire, to begin again (std::lock, std::scoped_lock). Where
// contended words are logged only once (LogHeader::locksets), the bit is set only if the thread has
// used no contended word while it held the lock.
inline constexpr std::uint8_t kBacksOff = 8;
constexpr LockMode mode_in(std::uint8_t detail) {
  return static_cast<LockMode>(detail & ~kBacksOff);
}
enum class RegionKind : std::uint8_t { kAtomic, kDeterministic, kUnit };
enum class WaitOutcome : std::uint8_t { kNotified, kTimedOut };
enum class NotifyScope : std::uint8_t { kOne, kAll };
enum class MemoryOrigin : std::uint8_t { kHeap, kMapping, kStack };

}  // namespace isosan
