// A thread as the runtime knows it: a slot (its name in shadow words and clocks), epochs, and the
// log-order clock.
//
// Slots. A shadow word has room for 4095 names, so a name is a slot, and slots of ended threads are
// used again. A slot's epochs only grow; a new thread in an old slot goes on where the last one
// stopped, and its log begins with a marker from it. So "ordered after epoch e of slot s" means the
// same whichever thread has the slot.
//
// Clock law. clock(s) >= e in thread T: everything that slot s logged in epochs up to e comes
// before what T logs from now on, by markers already in the logs. A clock entry is raised only
// after the marker that justifies it is in the log; entries only grow; others may read them
// (acquire) and then, having read the owner's position afterwards, take them over.
//
// Epoch law. A thread leaves epoch e only after everything it did in e is done and logged.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/contract/fast_path.h"
#include "runtime/contract/nested_calls.h"
#include "runtime/log/walks.h"
#include "runtime/platform/check.h"
#include "runtime/platform/spin_lock.h"
#include "runtime/thread/mode.h"

namespace isosan::rt {

inline constexpr std::uint64_t kWalkedPages = 512;
inline constexpr std::uint64_t kWalkedPageBytes = 512;

// What other threads may look at. One for each slot, never freed.
struct alignas(128) Slot {
  std::atomic<std::uint64_t> status{1};  // bit 0: at a safe point (blocked, not started, ended);
                                         // above: how often somebody relied on that
  std::atomic<std::uint64_t> requests{0};
  std::atomic<std::uint64_t> answered{0};
  std::atomic<std::uint64_t> epoch{1};
  // The last epoch that it published by synchronization. The clock of a thread that observed that,
  // or anything that came after it, covers this epoch.
  std::atomic<std::uint64_t> published{0};
  std::atomic<std::uint32_t> incarnation{0};      // odd: being changed
  std::atomic<std::uint32_t> thread{0};           // ThreadId of who has or had it
  std::atomic<log::ThreadBlock*> block{nullptr};  // null: ended
  std::atomic<std::uint64_t> final_position{0};
  std::atomic<std::uint64_t> final_rdsh{0};
  std::atomic<std::uint32_t> tid{0};       // of the kernel; 0: not running
  std::atomic<std::uint64_t> big_free{0};  // epoch in which it last freed a block whose shadow was
                                           // given back
  std::atomic<std::uint64_t>* clock = nullptr;  // kMaxSlots entries, pages on demand
  // Read-shared reads that are logged (shadow_word.h), pages on demand. It belongs to the slot, not
  // to the thread: epochs of a slot only grow, so the entries of its last thread match nothing of
  // the next.
  std::uint64_t* filter = nullptr;
  void* of_mode = nullptr;  // what the mode keeps of the slot; it stays, too
  // By page, the last epoch of read-shared reads that are not in the filter. Pages share an entry.
  std::atomic<std::uint64_t>* walked_rdsh = nullptr;
  std::atomic<std::uint64_t> strode_rdsh{0};  // the same of those that touch few words of a page
  // Guards what a thread does on behalf of the slot's thread while that is at a safe point, and what
  // the mode keeps of the slot.
  SpinLock lock;
  std::uint32_t index = 0;
  Slot* next_free = nullptr;
  std::atomic<std::uint64_t> forgotten_ranges{0};  // so often some of it got a new meaning
};

struct FencedRead {                         // of a read-shared word, that others see by now
  std::uint64_t place = ~std::uint64_t{0};  // in the filter
  std::uint64_t epoch = 0;
};
inline constexpr std::uint64_t kFencedReads = 8;

// Atomic loads of one granule that are in the log, in one epoch, and since which nobody else has
// stored there: to repeat one of them adds nothing. The latest few, for loops with several loads.
// From another place a load is no repeat: analyses see by the places that a loop begins anew.
struct AtomicLoadsSeen {
  struct Load {
    std::uint64_t address = 0;
    std::uint64_t place = 0;
    std::uint32_t size = 0;
    std::uint32_t order = 0;
    bool operator==(const Load&) const = default;
  };
  std::uint64_t granule = 0;
  std::uint64_t epoch = 0;
  std::uint64_t shared_stores = 0;  // so many atomic stores to read-shared words came before
  std::uint32_t next = 0;           // of `loads`, to be replaced
  Load loads[4] = {};
};
inline constexpr std::uint64_t kSeenLoads = 64;

// Elements that were claimed in an epoch, all of them (ranges.cc).
struct SeenRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  std::int64_t stride = 0;
  std::uint64_t size_and_mode = 0;
  std::uint64_t epoch = 0;  // with Slot::forgotten_ranges
  bool operator==(const SeenRange&) const = default;
};
inline constexpr int kSeenRangeBits = 9;

struct SyncObject;
struct ReaderCell;
struct LatelyLocked {  // where the object of an address was, and what of it is known (sync_order.h)
  std::uint64_t address = 0;
  SyncObject* object = nullptr;
  std::uint64_t observed = 0;    // SyncObject::version: this thread comes after its W
  std::uint64_t joined = 0;      // ... it stands in its R, in `cell`,
  std::uint64_t with_clock = 0;  // with the clock that it had when clock_version was this
  ReaderCell* cell = nullptr;
};
inline constexpr int kLatelyLockedBits = 6;

struct DeferredSignal;
struct Seat;      // schedule/schedule.h
struct OpenEdge;  // calls/call_stack.h

// The open calls and regions (calls/call_stack.h).
struct CallStack {
  OpenEdge* edges = nullptr;  // kMaxOpenEdges of them, pages on demand
  std::uint64_t count = 0;
  std::uint32_t loud_edges = 0;  // open ones inside of which accesses are logged in any case
  bool unlogged_region = false;  // in a region whose accesses are not logged
  bool logging = false;          // open calls are on their way into the log
  bool opening = false;          // the innermost edge is being opened: it is logged last, once
};

// Reads of read-shared words (ownership/words.h, read_shared.h).
struct SharedReads {
  std::uint64_t limit = 0;        // as in the block, also where compiled code has to ask
  std::uint64_t* seen = nullptr;  // per slot: rdsh_clock entry that this thread's reads come after
  FencedRead fenced[kFencedReads];
};

// What is in the log already, so that a repeat in the same epoch adds nothing.
struct Seen {
  AtomicLoadsSeen loads[kSeenLoads] = {};
  SeenRange ranges[1 << kSeenRangeBits] = {};
};

// Looks like a ring that never gets full. Compiled code appends there what is not to be logged.
struct Sink {
  log::LogUnit units[2] = {};
  log::ThreadBlock block{.limit = ~std::uint64_t{0},
                         .ring = reinterpret_cast<std::uint64_t>(&units[0]),
                         .ring_mask = 1};
};

// What every mode needs of a thread. What one mode needs is behind of_mode.
struct Thread {
  // Where the inline path appends accesses: `block`, or, where accesses are not logged, a block
  // that nobody reads. Compiled code loads it (kOffsetAppends).
  log::ThreadBlock* appends = nullptr;
  // The clock by which compiled code takes words of others. It is the slot's, or one of zeros where
  // only the runtime may take them (kOffsetCovered).
  const std::atomic<std::uint64_t>* covered = nullptr;
  Word published = 0;  // Slot::published, where a word has its epoch (kOffsetPublished)
  CallStack calls;     // compiled code keeps the calls inside regions itself (kOffsetEdges)
  log::ThreadBlock* block = nullptr;
  Slot* slot = nullptr;
  std::uint32_t id = 0;
  std::uint32_t ignore = 0;         // > 0: accesses are no events
  std::uint32_t in_runtime = 0;     // > 0: a signal handler must not run now
  std::uint32_t blocked_depth = 0;  // in_runtime when the thread blocked
  bool bump_pending = false;        // a signal granted a request in the middle of things
  bool blocked = false;             // inside a blocking call: a signal handler may run
  std::uint32_t locks_held = 0;     // each hold of a recursive lock counts
  bool lost_try = false;            // for a lock, since it acquired its last one
  bool request_came = false;        // a request signal, since somebody cleared this
  bool handler_ran = false;         // one of the program's, the same
  std::uint32_t refused_signals = 0;
  SharedReads shared;
  std::uint64_t* scratch = nullptr;  // a clock on its way (take_order)
  std::uint64_t clock_version = 0;   // so often an entry of the clock was raised
  std::uint64_t epoch_position = 0;  // of the log, when the epoch began
  std::uint64_t accesses = 0;        // in slow paths (LogHeader::accesses_seen has the thousands)
  std::uint64_t contended_uses = 0;  // accesses of contended words: never to be remembered
  std::uint64_t stack_low = 0;
  std::uint64_t stack_high = 0;
  std::uint64_t noise_state = 0;  // modes/noise.h
  DeferredSignal* deferred = nullptr;
  Seat* seat = nullptr;     // where one thread runs at a time
  void* of_mode = nullptr;  // what the mode keeps of the thread
  Seen seen;
  Sink sink;
  LatelyLocked lately_locked[1 << kLatelyLockedBits] = {};
};

static_assert(offsetof(Thread, appends) == kOffsetAppends);
static_assert(offsetof(Thread, covered) == kOffsetCovered);
static_assert(offsetof(Thread, published) == kOffsetPublished);
static_assert(offsetof(Thread, calls) + offsetof(CallStack, edges) == kOffsetEdges);
static_assert(offsetof(Thread, calls) + offsetof(CallStack, count) == kOffsetEdgeCount);

inline bool logs_accesses(const Thread& t) { return t.appends == t.block; }
// From here on accesses are logged, or not.
inline void log_accesses(Thread& t, bool logged) {
  t.appends = logged && g_mode.logs_accesses ? t.block : &t.sink.block;
}
inline bool gathers_walks(const Thread& t) {
  return g_options.gathers_loops && t.appends == t.block;
}

// Blocks that stand in for a thread: their tags match nothing, so every check ends in a slow path.
extern log::ThreadBlock g_unknown_block;  // attach in the first slow path
extern log::ThreadBlock g_ignored_block;  // and this one returns at once
void prepare_stand_ins();                 // before the first instrumented code

extern std::atomic<bool> g_observed;  // false: every entry point returns at once
extern std::uint32_t g_process_id;

Thread* attach_thread();  // null: not observed. The front implements it.

// One operation (event/schedule.h) of this thread is in the log, or about to be.
inline void count_operation(Thread& t) {
  if (g_options.every_operation) ++t.block->executed;
}

// The calling thread; null if it is not observed.
inline Thread* current() {
  log::ThreadBlock* block = __isosan_self;
  if (block->runtime != 0) [[likely]] {
    return reinterpret_cast<Thread*>(block->runtime);
  }
  if (block == &g_ignored_block) return nullptr;
  return attach_thread();
}

// The thread of a block; null: it is only about to get one (claim_block).
inline Thread* known_thread(const log::ThreadBlock& block) {
  constexpr std::uint64_t kClaimed = 1;
  return block.runtime > kClaimed ? reinterpret_cast<Thread*>(block.runtime) : nullptr;
}

Slot& slot_at(std::uint32_t index);
std::uint32_t slots_in_use();  // all indices are below

inline std::uint64_t clock_of(const Thread& t, std::uint32_t slot) {
  return t.slot->clock[slot].load(std::memory_order_relaxed);
}
inline bool covers(const Thread& t, std::uint32_t slot, std::uint64_t epoch) {
  return clock_of(t, slot) >= epoch;
}
inline void raise_clock(Thread& t, std::uint32_t slot, std::uint64_t epoch) {
  std::atomic<std::uint64_t>& entry = t.slot->clock[slot];
  if (entry.load(std::memory_order_relaxed) < epoch) {
    // An entry never covers what its slot has not closed.
    ISOSAN_DEBUG_CHECK(slot == t.slot->index || epoch <= slot_at(slot).epoch.load());
    entry.store(epoch, std::memory_order_release);  // order: clock
    ++t.clock_version;
  }
}
inline std::uint64_t epoch_of(const Thread& t) {
  return t.slot->epoch.load(std::memory_order_relaxed);
}

// Bytes are new locations from now on: ranges seen in this epoch must be claimed anew. The step is
// larger than every epoch, so no later epoch looks like a forgotten one.
inline void forget_ranges(Slot& slot) {
  slot.forgotten_ranges.fetch_add(kMaxEpoch + 1, std::memory_order_relaxed);
}

// The same, where only the thread itself does that: locksets are not asked for.
inline void forget_own_ranges(Thread& t) {
  std::atomic<std::uint64_t>& ranges = t.slot->forgotten_ranges;
  ranges.store(ranges.load(std::memory_order_relaxed) + kMaxEpoch + 1, std::memory_order_relaxed);
}

bool shared_reads_inline(const Thread& t);
void refresh_tags(Thread& t);  // after a change of epoch, ignore or mode
void bump_epoch_slow(Thread& t);
inline constexpr std::uint64_t kLastUsableEpoch = kMaxEpoch - 16;

// False: the slot's epochs, or the filter's, are at their end.
constexpr bool can_begin(std::uint64_t epoch) {
  return epoch <= kLastUsableEpoch && (epoch << kFilterEpochShift) != 0;
}

// Everything done in the last epoch is done and logged.
inline void bump_epoch(Thread& t) {
  close_walks(t.block);
  ISOSAN_DEBUG_CHECK(t.block->open_walks == 0);
  ISOSAN_DEBUG_CHECK(t.block->tag == kNeverTag || epoch_of(t.block->tag) == epoch_of(t));
  const std::uint64_t epoch = epoch_of(t) + 1;
  if (!can_begin(epoch)) [[unlikely]]
    return bump_epoch_slow(t);
  t.slot->epoch.store(epoch, std::memory_order_release);  // order: epoch
  t.block->filter_key = epoch << kFilterEpochShift;
  t.bump_pending = false;
  t.epoch_position = t.block->position;
  if (t.block->tag != kNeverTag) [[likely]]
    t.block->tag = make_tag(t.slot->index, epoch);
}
// After an incoming edge: outside regions each access is a transaction of its own.
inline void bump_outside_regions(Thread& t) {
  if (t.block->region_depth == 0 && g_mode.dependences_end_epochs) bump_epoch(t);
}

// Others may come after all that was done so far, this epoch included; another one begins.
inline void note_published(Thread& t) {
  ISOSAN_DEBUG_CHECK(t.slot->published.load(std::memory_order_relaxed) <= epoch_of(t));
  t.published = Word{epoch_of(t)} << kEpochShift;
  t.slot->published.store(epoch_of(t), std::memory_order_release);  // order: epoch
}

// Where slot s stands: everything it logged in epochs up to `closed` is below `position` of
// `thread`.
struct Standing {
  std::uint32_t thread;
  std::uint64_t position;
  std::uint64_t closed;
};
Standing standing_of(const Slot& slot);

// A thread is born in its parent (which has logged the fork), so that ids follow the order of
// birth.
Thread* create_thread(Thread* parent);
void start_thread(Thread& t);    // in the new thread
void end_thread(Thread& t);      // in the thread itself, after its last instrumented access
void abandon_thread(Thread& t);  // created, but never started

class RuntimeScope {  // signal handlers wait until it is left
 public:
  explicit RuntimeScope(Thread* t) : t_(t) {
    if (t_ == nullptr) return;
    ++t_->in_runtime;
  }
  ~RuntimeScope() {
    if (t_ == nullptr) return;
    ISOSAN_DEBUG_CHECK(t_->in_runtime > 0);
    --t_->in_runtime;
  }
  RuntimeScope(const RuntimeScope&) = delete;
  RuntimeScope& operator=(const RuntimeScope&) = delete;

 private:
  Thread* t_;
};

}  // namespace isosan::rt
