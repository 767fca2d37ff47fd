// The contract between the two worlds: what the runtime inside the target writes into shared memory
// and the isosan process reads. Plain C++, no library: both sides include it. Change kLogVersion
// with it.
//
// Model. One shared mapping (a memfd made by the isosan process, its size sealed, handed down by
// file descriptor; the runtime closes that once it has the mapping) holds a header, a mailbox for
// modules, and one ThreadBlock with one ring of LogUnits per live thread. A thread appends units to
// its own ring and advances `position`, one monotonic count of units; the ring index is position
// modulo ring_units. The isosan process advances `consumed`; a thread waits while position -
// consumed == ring_units.
//
// Publication is asymmetric: the thread stores units and position plainly (no barrier on the hot
// path). The reader loads all positions, issues membarrier(GLOBAL_EXPEDITED) (the target has
// registered for it), and then may read every unit below the positions it loaded. A thread that is
// about to block does nothing. Where membarrier is not available, the reader sets
// LogHeader::release_stores: then the runtime stores position with release, and the reader loads it
// with acquire. Where the processor keeps stores in order (kStoresStayInOrder) the reader's acquire
// loads are enough. A barrier there would only interrupt every processor that the target runs on,
// each time the reader looks.
//
// A marker (U, p) in T's log: everything of U before position p comes before what follows in T's
// log.
#pragma once

#include <atomic>
#include <cstdint>

#include "event/kind.h"

namespace isosan::log {

#if defined(__x86_64__)
inline constexpr bool kStoresStayInOrder = true;
#else
inline constexpr bool kStoresStayInOrder = false;
#endif

inline constexpr std::uint64_t kLogMagic = 0x31474f4c4f534900;  // "\0ISOLOG1"
inline constexpr std::uint32_t kLogVersion = 23;

// One unit: 16 bytes. Every event is one unit; those with a second number (see has_extension) are
// two.
//   word0  bits 0-47 address   bits 48-55 code   bits 56-63 detail
//   word1  bits 0-47 place     bits 48-63 extra
// `place` is an address in a module of the target: of a site or function record of the pass
// (sections isosan_sites and isosan_functions), or a program counter (the __tsan_* front). The
// reader decides by the section that the address lies in.
struct LogUnit {
  std::uint64_t word0 = 0;
  std::uint64_t word1 = 0;
};
static_assert(sizeof(LogUnit) == 16);

// Codes: 1 + Kind for events, then what only the log has. Code 0 is never written.
//   payload      address     detail                     extra              extension
//   kAccess      address     bytes, 0: see extension    order, kCompare... bytes
//   kOrder       -           -                          memory order       -
//   kLock        lock        LockMode, kBacksOff        depth              -
//   kThread      thread id   -                          -                  -
//   kFunction    this or 0   0                          -                  -
//     __tsan_*   caller's pc 1                          -                  -
//   kRegion      object      RegionKind, kNamedBlock    -                  name, if kNamedBlock
//   kOutcome     object      WaitOutcome                -                  -
//   kScope       object      NotifyScope                -                  -
//   kGeneration  object      -                          -                  generation
//   kMemory      address     MemoryOrigin               -                  bytes
// The place is that of the operation: a site or a program counter. Of kFunction it is the function
// (its record, or a program counter in it), of kRegion the region's site; with kNamedBlock
// (<isosan/isosan.h> without the pass) it is a program counter.
enum class Code : std::uint8_t {
  kMarker = 64,  // address = position p, place = thread U: a dependence; detail = 1: what stands
                 // right before p published it (release, fork, ...), nothing behind matters
  kOrderMarker = 65,  // the same, but order only (memory reuse): no dependence, no clock join
  kExtension = 66,    // word1 whole: the second number of the unit before
  kEventIndex = 67,   // word1 whole: operations this thread has executed so far
  kRange = 68,  // follows an access with an extension: word1 = stride in bytes (strided loop), the
                // extension is then the number of elements and detail the size of each
};

constexpr std::uint8_t code_of(Kind kind) {
  return static_cast<std::uint8_t>(static_cast<int>(kind) + 1);
}
constexpr bool is_event(std::uint8_t code) { return code >= 1 && code <= kKindCount; }
constexpr Kind kind_of(std::uint8_t code) { return static_cast<Kind>(code - 1); }

inline constexpr std::uint64_t kLow48 = (std::uint64_t{1} << 48) - 1;

constexpr LogUnit make_unit(std::uint8_t code, std::uint64_t address, std::uint64_t place,
                            std::uint8_t detail = 0, std::uint16_t extra = 0) {
  return {(address & kLow48) | std::uint64_t{code} << 48 | std::uint64_t{detail} << 56,
          (place & kLow48) | std::uint64_t{extra} << 48};
}
constexpr std::uint64_t address_of(const LogUnit& u) { return u.word0 & kLow48; }
constexpr std::uint8_t code_of(const LogUnit& u) {
  return static_cast<std::uint8_t>(u.word0 >> 48);
}
constexpr std::uint8_t detail_of(const LogUnit& u) {
  return static_cast<std::uint8_t>(u.word0 >> 56);
}
constexpr std::uint64_t place_of(const LogUnit& u) { return u.word1 & kLow48; }
constexpr std::uint16_t extra_of(const LogUnit& u) {
  return static_cast<std::uint16_t>(u.word1 >> 48);
}

inline constexpr std::uint8_t kNamedBlock = 0x80;  // in the detail of Begin and End

// Is this unit followed by a kExtension unit?
constexpr bool has_extension(const LogUnit& u) {
  if (!is_event(code_of(u))) return false;
  const Kind kind = kind_of(code_of(u));
  if (is_access(kind)) return detail_of(u) == 0;
  const Payload payload = payload_of(kind);
  if (payload == Payload::kRegion) return (detail_of(u) & kNamedBlock) != 0;
  return payload == Payload::kMemory || payload == Payload::kGeneration;
}

enum class ThreadState : std::uint32_t {
  kFree,
  kLive,
  kEnded
};  // kEnded: drain, then the reader sets kFree

// The accesses of one instruction of a loop (log_walk.h).
struct alignas(64) Walk {
  std::uint64_t place = 0;  // program counter, kWalkWrites, and kWalkClosed: it is not open
  std::uint64_t next = 0;   // the address that comes next, if it goes on
  std::int32_t stride = 0;
  std::uint32_t count = 0;   // accesses that are gathered and not logged yet; of a closed one those
                             // whose address was the predicted one
  std::uint16_t size = 0;    // of each
  std::uint16_t hurdle = 0;  // so many predictions must be right before it opens again
  std::uint32_t begun = 0;   // so many of this thread had begun then; of a closed one the epoch of
                             // its last access, the low bits
  // The runtime's own: the shadow word as the last access found it and as it left it, by half of
  // the granule. In one walk most words are in the same state.
  std::uint64_t before[2] = {kNoWord, kNoWord};
  std::uint64_t after[2] = {};

  static constexpr std::uint64_t kNoWord = ~std::uint64_t{0};  // a held word, and of nobody
};
inline constexpr int kWalkBits = 6;  // no two instructions in 256 aligned bytes share one
inline constexpr std::uint32_t kWalks = 1u << kWalkBits;

// What both sides know of a live thread, and the few words that the check inlined by the pass
// needs. The reader does not use the latter. One pointer in TLS reaches everything
// (runtime/contract/fast_path.h). Blocks are reused, thread ids are not. The runtime sets every
// field before it sets kLive, and sets kLive before any log mentions the thread.
struct alignas(128) ThreadBlock {
  std::uint64_t position = 0;  // written by the thread only (plain); read through std::atomic_ref
  std::uint64_t limit = 0;     // thread only: first position that may not be written without asking
  std::uint64_t ring = 0;      // address of the ring in the target
  std::atomic<ThreadState> state{};
  std::uint32_t thread = 0;    // ThreadId
  std::uint64_t executed = 0;  // operations executed, logged or not (full mode)
  // The runtime's own from here on.
  std::uint64_t tag = 0;         // WrEx of this thread in its current epoch, all mask bits set
  std::uint64_t owner = 0;       // exclusive, this thread, no epoch: for the own-older-epoch path
  std::uint64_t rdsh_limit = 0;  // read-shared words up to this counter need no ordering
  std::uint64_t filter = 0;      // address of the filter of read-shared reads already logged
  std::uint64_t filter_key = 0;  // low bits of the epoch, in place for the filter's entries
  std::uint64_t last_rdsh = 0;   // epoch of the last read of a read-shared word
  std::atomic<std::uint32_t> poll{};  // not 0: a thread waits for this one's next safe point
  std::uint32_t region_depth = 0;
  std::uint64_t runtime = 0;          // address of what else the runtime keeps of the thread
  std::uint64_t ring_mask = 0;        // ring_units - 1
  std::uint64_t pending_address = 0;  // the __tsan_* front: the access checked last, which may not
  std::uint64_t pending_size = 0;     // have run yet
  alignas(
      128) std::atomic<std::uint64_t> consumed{};  // written by the reader while kLive or kEnded
  alignas(128) std::uint64_t open_walks = 0;       // a bit for each of `walks`
  std::uint32_t closing_walks = 0;                 // they are on their way into the log
  std::uint32_t walks_begun = 0;
  std::uint64_t room = 0;             // `limit` while that is hidden: then it is `position`
  std::uint64_t gathers = 0;          // not 0: walks are opened
  std::uint64_t vtable_pointers = 0;  // not 0: accesses of them are logged
  Walk walks[kWalks] = {};
  // Where transactions may be taken back (LogHeader::quiet, modes/quiet.h) the reader reads up to
  // `visible` instead of `position`. Written with the lock of the thread's slot.
  alignas(128) std::atomic<std::uint64_t> visible{};
  std::atomic<std::uint32_t> keeps_back{};  // units behind `visible` may be taken back
  // Transactions that began; of them, those that began quiet; those that left nothing in the log;
  // those that were kept when they ended; and those that came after another thread's transaction
  // while that was open or kept (what is done between two counts as one more).
  std::uint64_t transactions = 0, buffered = 0, dropped = 0, kept = 0, contended = 0;
};
static_assert(sizeof(ThreadBlock) == 4608);

// What the isosan process asks of the runtime; set before the target starts.
enum class Mode : std::uint32_t {
  kLogged,    // first touch per (bytes, mode, epoch)
  kFull,      // every operation (prediction, replay; reduction)
  kUnlogged,  // control only (first run of doublechecker)
};

// Modules: the runtime appends a record for each module at start-up and at dlopen (the mailbox),
// bumps modules_announced and waits (futex) until modules_answered reaches it. The reader answers
// by filling the flags area it named in the record: one FunctionFlags byte per function record of
// the pass, in table order. For a module of the __tsan_* front it puts RegionRanges there, sorted,
// and their number into the record; the runtime logs all its calls.
struct RegionRange {        // the code of a function whose outermost edges bump the epoch
  std::uint64_t begin = 0;  // module-relative
  std::uint64_t end = 0;    // itself included: a call that does not return is the last instruction
};
struct ModuleRecord {
  std::uint64_t base = 0;            // load bias
  std::uint64_t end = 0;             // first address behind the module
  std::uint32_t function_count = 0;  // records in isosan_functions; 0: not built by the pass
  std::uint32_t site_count = 0;
  std::uint64_t flags_offset = 0;  // in the mapping: where the answer goes
  std::uint32_t region_count = 0;  // the __tsan_* front: RegionRanges there
  std::uint32_t instrumented = 0;  // has function records, or calls __tsan_*
  std::uint32_t path_length = 0;
  char path[4096] = {};
};

enum FunctionFlags : std::uint8_t {
  kFunctionLogged = 1,    // log Call and Return
  kFunctionRegion = 2,    // its outermost edges bump the epoch
  kFunctionUnlogged = 4,  // a region: while it is the outermost one, accesses are not logged
  kFunctionFixed = 8,     // a region, whatever it turns out to do: it was named or annotated
  kFunctionNests = 16,  // the runtime's: inside a region its calls are kept inline (nested_calls.h)
  // From here on: the edges of a leaf (a function that calls nobody) are logged inside a region,
  // too; else only where region_depth is 0, because its sites name it.
  kFunctionNested = 32,
  kFunctionCut = 64,  // every edge bumps the epoch, and the function counts as no region: what is
                      // logged is enough whether it becomes a region later or not
};

struct LogHeader {
  std::uint64_t magic = kLogMagic;
  std::uint32_t version = kLogVersion;
  Mode mode{};
  std::uint32_t strict = 0;
  std::uint32_t release_stores = 0;
  std::uint32_t reader_pid = 0;  // 0: not known. If it dies, the program goes on
  std::uint32_t locksets = 0;    // UnorderedGranules are those of modes/locksets.h
  std::uint32_t sync_edges_off = 0;
  std::uint32_t noise = 0;  // in 2^32: how likely a thread gives way at an access or lock; 0: never
  std::uint32_t unlogged_outside = 0;  // accesses outside regions are not logged
  std::uint32_t arrays_off = 0;        // blocks of memory and strided loops are not logged
  std::uint32_t units = 0;             // nothing but units of work is asked for: modes/units.h
  std::uint32_t quiet = 0;  // transactions that can be in no cycle are left out: modes/quiet.h
  std::uint32_t vtable_pointers = 0;  // accesses of them are logged
  std::uint64_t noise_seed = 0;
  std::uint32_t max_threads = 0;  // ThreadBlocks in the mapping: live threads at one time
  std::uint32_t ring_units = 0;   // a power of two
  std::uint64_t blocks_offset = 0;
  std::uint64_t rings_offset = 0;
  std::uint64_t modules_offset = 0;  // ModuleRecord[max_modules]
  std::uint32_t max_modules = 0;
  std::atomic<std::uint32_t> modules_announced{};
  std::atomic<std::uint32_t> modules_answered{};
  std::uint64_t flags_area_offset = 0;
  std::uint64_t flags_area_size = 0;
  std::atomic<std::uint64_t> flags_area_used{};
  std::atomic<std::uint32_t> threads_started{};  // next ThreadId
  std::atomic<std::uint32_t>
      attached{};  // the runtime has found the mapping and checked the version
  std::atomic<std::uint64_t> racy_transfers{};  // unordered transfers on plain accesses
  std::atomic<std::uint64_t>
      accesses_seen{};  // instrumented accesses (counted at thread end and in slow paths)
  std::uint64_t schedule_offset = 0;  // replay and hunt: see schedule.h; 0: free run
  // UnorderedGranules to be filled; 0: not asked for. Where they are, clocks are moved only by
  // synchronization that is the same in every schedule or that singletrack checks: not by data, not
  // by conditions and semaphores (with locksets: not by locks either).
  std::uint64_t unordered_offset = 0;
  std::atomic<std::uint32_t> threads_unobserved{};  // they have accesses, and found no room
  std::atomic<std::uint32_t> aborting_thread{};     // ThreadId + 1 of the first that called abort()
  std::atomic<std::uint32_t> children{};            // made by fork(): they run on unobserved
};

inline constexpr const char* kLogFdVariable = "ISOSAN_LOG_FD";  // the file descriptor, in decimal
// Set by the runtime of a program that was started on its own and has called `isosan run` itself.
inline constexpr const char* kStartedByProgram = "ISOSAN_STARTED_BY_PROGRAM";

}  // namespace isosan::log
