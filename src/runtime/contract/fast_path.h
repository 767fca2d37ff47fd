// What the pass must know to emit inline checks: the pointer that reaches the thread's state, the
// offsets in it, the shadow word, and the entry points that it calls.
//
// The inline check of an access [a, a+n) that stays in one granule, at site S:
//
//   B = __isosan_self; W = *shadow_address(a); m = byte_mask(a, n)
//   write: write_hits(W, B->tag, m)                      -> done
//          own(W, B->owner) and L->position != L->limit  -> append, store write_claimed (release)
//          covered(W)                                    -> compare and swap, append
//          otherwise                                     -> __isosan_write(a, n, S)
//   read:  read_hits(W, B->tag, m)                       -> done
//          shared_read_ordered(W, B->rdsh_limit)         -> filter; miss: append, or __isosan_read
//          own(W, B->owner) and L->position != L->limit  -> append, store read_claimed (release)
//          covered(W)                                    -> compare and swap, append
//          otherwise                                     -> __isosan_read(a, n, S)
//
//   In the code of a function there is the first line of each, inline or as a call; the others are in
//   claim functions (pass/claims), which load B and W again.
//
//   append: unit at L->ring + 16 * (L->position & L->ring_mask), then L->position + 1, all plain
//   stores; the unit is make_unit(code_of(kind), a, S, n). L, a ThreadBlock, is the first word of
//   what B->runtime points to: B itself, or in unlogged mode a block whose ring nobody reads.
//   covered(W): exclusive, not held, B->region_depth != 0 and C[slot of W] >= epoch of W. C, a
//   clock, is the second word of what B->runtime points to. The word becomes what write_claimed or
//   read_claimed make of one of another epoch, and is clean after a read.
//   published, for read_claimed: the third word of what B->runtime points to.
//
// Laws for the code that is emitted.
// - Between a check and its access there is no call into the runtime: checks may be hoisted over
//   other checks' fast paths of the same block (appends included), not over a call, a lock
//   operation, a region edge, a poll or another slow path. A slow path is itself a safe point for
//   what was checked *before* it: after it, earlier checks whose access has not run yet are void.
// - tag, owner, rdsh_limit, filter_key change only in calls: reload after every call.
// - __isosan_self never is null and never changes inside a function without a call (fork, fibers).
// - B->filter may be read whatever the word is: it always points to kFilterEntries entries.
// - Poll at function entries and loop back edges: if (B->poll) __isosan_poll().
// - An access that may cross a granule (unaligned, 16 bytes) is two checks, or the call.
//
// An access of a vtable pointer is checked if B->vtable_pointers is not 0, a store besides only if it
// changes the pointer.
//
// The modes are in the values: full mode sets tag and owner to never-match and rdsh_limit to 0;
// strict and release-stores modes set owner to never-match. Where owner never matches, C is zero.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/contract/log_format.h"
#include "runtime/contract/records.h"
#include "runtime/contract/shadow_map.h"
#include "runtime/contract/shadow_word.h"

namespace isosan::rt {

using log::ThreadBlock;
inline constexpr std::size_t kOffsetPosition = 0;
inline constexpr std::size_t kOffsetLimit = 8;
inline constexpr std::size_t kOffsetRing = 16;
inline constexpr std::size_t kOffsetTag = 40;
inline constexpr std::size_t kOffsetOwner = 48;
inline constexpr std::size_t kOffsetRdshLimit = 56;
inline constexpr std::size_t kOffsetFilter = 64;
inline constexpr std::size_t kOffsetFilterKey = 72;
inline constexpr std::size_t kOffsetLastRdsh = 80;
inline constexpr std::size_t kOffsetPoll = 88;
inline constexpr std::size_t kOffsetRegionDepth = 92;
inline constexpr std::size_t kOffsetRuntime = 96;
inline constexpr std::size_t kOffsetRingMask = 104;
inline constexpr std::size_t kOffsetOpenWalks = 256;
inline constexpr std::size_t kOffsetRoom = 272;
inline constexpr std::size_t kOffsetGathers = 280;
inline constexpr std::size_t kOffsetVtablePointers = 288;
inline constexpr std::size_t kOffsetWalks = 320;
inline constexpr std::size_t kOffsetAppends = 0;  // of what ThreadBlock::runtime points to
inline constexpr std::size_t kOffsetCovered = 8;
inline constexpr std::size_t kOffsetPublished = 16;
static_assert(offsetof(ThreadBlock, position) == kOffsetPosition);
static_assert(offsetof(ThreadBlock, limit) == kOffsetLimit);
static_assert(offsetof(ThreadBlock, ring) == kOffsetRing);
static_assert(offsetof(ThreadBlock, tag) == kOffsetTag);
static_assert(offsetof(ThreadBlock, owner) == kOffsetOwner);
static_assert(offsetof(ThreadBlock, rdsh_limit) == kOffsetRdshLimit);
static_assert(offsetof(ThreadBlock, filter) == kOffsetFilter);
static_assert(offsetof(ThreadBlock, filter_key) == kOffsetFilterKey);
static_assert(offsetof(ThreadBlock, last_rdsh) == kOffsetLastRdsh);
static_assert(offsetof(ThreadBlock, poll) == kOffsetPoll);
static_assert(offsetof(ThreadBlock, region_depth) == kOffsetRegionDepth);
static_assert(offsetof(ThreadBlock, runtime) == kOffsetRuntime);
static_assert(offsetof(ThreadBlock, ring_mask) == kOffsetRingMask);
static_assert(offsetof(ThreadBlock, open_walks) == kOffsetOpenWalks);
static_assert(offsetof(ThreadBlock, room) == kOffsetRoom);
static_assert(offsetof(ThreadBlock, gathers) == kOffsetGathers);
static_assert(offsetof(ThreadBlock, vtable_pointers) == kOffsetVtablePointers);
static_assert(offsetof(ThreadBlock, walks) == kOffsetWalks);

// The line of the ring that comes next was last in the reader's cache: an append asks for it so
// many units ahead, else the next releasing store or lock would wait for it.
inline constexpr std::uint64_t kPrefetchUnits = 32;

}  // namespace isosan::rt

// The entry points, X(result, name, parameters). Those of the first table preserve all registers as
// clang's preserve_most does (declare them preserve_most and NonLazyBind: lazy binding would not
// preserve them); they are C++ behind a small assembly thunk (platform/).
#define ISOSAN_PRESERVE_MOST_ENTRY_POINTS(X)                                                         \
  X(void, __isosan_read, (void* address, std::uint64_t size, const void* place))                     \
  X(void, __isosan_write, (void* address, std::uint64_t size, const void* place))                    \
  /* the same of an instruction that may be a walk, but does not go on in an open one */             \
  X(void, __isosan_read_anew, (void* address, std::uint64_t size, const void* place))                \
  X(void, __isosan_write_anew, (void* address, std::uint64_t size, const void* place))               \
  /* the ring seems full (position == limit): logs the open calls if only they were missing; no    \
     safe point */ \
  X(void, __isosan_make_room, (void))                                                                \
  X(void, __isosan_poll, (void))

#define ISOSAN_ENTRY_POINTS(X)                                                                       \
  /* one event for a whole block of memory; size in bytes, may be 0 */                               \
  X(void, __isosan_read_range, (void* address, std::uint64_t size, const void* place))               \
  X(void, __isosan_write_range, (void* address, std::uint64_t size, const void* place))              \
  /* count elements of `size` bytes, the next one `stride` bytes on (may be negative) */             \
  X(void, __isosan_read_strided,                                                                     \
    (void* first, std::uint64_t count, std::int64_t stride, std::uint64_t size,                      \
     const void* place))                                                                             \
  X(void, __isosan_write_strided,                                                                    \
    (void* first, std::uint64_t count, std::int64_t stride, std::uint64_t size,                      \
     const void* place))                                                                             \
  /* the same where each element is read and then written */                                         \
  X(void, __isosan_update_range,                                                                     \
    (void* address, std::uint64_t size, const void* read_place, const void* write_place))            \
  X(void, __isosan_update_strided,                                                                   \
    (void* first, std::uint64_t count, std::int64_t stride, std::uint64_t size,                      \
     const void* read_place, const void* write_place))                                               \
  /* the atomic operation runs between the two; `kind` (isosan::Kind: AtomicLoad also for a        \
     compare-exchange that failed) and `order` (isosan::MemoryOrder) as it turned out. `writes`:   \
     may it write? No call, no poll and no other check between the two. */ \
  X(void, __isosan_atomic_begin, (void* address, std::uint64_t size, std::uint32_t writes))          \
  X(void, __isosan_atomic_end,                                                                       \
    (void* address, std::uint64_t size, std::uint32_t kind, std::uint32_t order,                     \
     const void* place))                                                                             \
  X(void, __isosan_fence, (std::uint32_t order, const void* place))                                  \
  /* edges of a region candidate, called if its flags byte is not 0 (and see nested_calls.h) */      \
  X(void, __isosan_function_enter, (const void* function_record, const void* object))                \
  X(void, __isosan_function_exit, (const void* function_record))                                     \
  /* how many of this thread's function_enter (and region_begin) are open; and: end all beyond the \
     first `depth` (behind a setjmp that returned again: longjmp leaves no exits) */ \
  X(std::uint64_t, __isosan_call_depth, (void))                                                      \
  X(void, __isosan_unwind_to, (std::uint64_t depth))                                                 \
  X(void, __isosan_last_release, (const void* function_record, const void* lock))                    \
  /* edges of an annotated block; kind is isosan::RegionKind. An end without a site (null) ends    \
     the innermost open block of its kind */ \
  X(void, __isosan_region_begin, (const void* site, const void* object, std::uint32_t kind))         \
  X(void, __isosan_region_end, (const void* site, const void* object, std::uint32_t kind))           \
  /* the same from <isosan/isosan.h> without the pass (which makes a site of `name` and calls the  \
     two above instead): the place is the return address */ \
  X(void, __isosan_block_begin, (const char* name, const void* object, std::uint32_t kind))          \
  X(void, __isosan_block_end, (const char* name, const void* object, std::uint32_t kind))            \
  /* one synchronization event, with the meaning that event/sync_effect.h gives it: publish-like   \
     kinds before the operation, observe-like ones after it. value: generation of a barrier */ \
  X(void, __isosan_sync,                                                                             \
    (std::uint32_t kind, const void* object, std::uint32_t detail, std::uint64_t value,              \
     const void* place))                                                                             \
  /* the thread's accesses and atomics between the two are not events (inside std::barrier, ...)   \
   */ \
  X(void, __isosan_ignore_begin, (void))                                                             \
  X(void, __isosan_ignore_end, (void))                                                               \
  /* from a constructor of each module, before all others: __start_ and __stop_ of the sections */   \
  X(void, __isosan_module,                                                                           \
    (void* functions_begin, void* functions_end, const void* sites_begin, const void* sites_end))

extern "C" {
// Never null: before a thread is known it points to a block whose tags match nothing.
extern constinit thread_local isosan::log::ThreadBlock* __isosan_self
    __attribute__((tls_model("initial-exec")));

#define ISOSAN_DECLARE(result, name, parameters) result name parameters;
ISOSAN_PRESERVE_MOST_ENTRY_POINTS(ISOSAN_DECLARE)
ISOSAN_ENTRY_POINTS(ISOSAN_DECLARE)
#undef ISOSAN_DECLARE
}
