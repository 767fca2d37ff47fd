// The mode of a run: what an analysis asks of the runtime beyond what every run needs.
//
// One object, chosen at attach (modes/choose.h) and constant from then on. The engine (ownership,
// sync, calls) does not ask which mode it is. It reads the values and calls the hooks below, and
// both speak the engine's language. The modes are in modes/, one file each, with what they keep of
// a thread.
#pragma once

#include <cstdint>

#include "event/kind.h"
#include "event/waiting.h"
#include "runtime/contract/records.h"
#include "runtime/contract/shadow_word.h"

namespace isosan::rt {

struct Thread;
struct OpenEdge;      // calls/call_stack.h
struct Granules;      // ownership/words.h
struct Contribution;  // sync/sync.h
struct Slot;
enum class Closes : std::uint8_t;
enum class Need : std::uint8_t { kRead, kWrite };

// A set of event kinds: bit k is set if the kind of number k is in it.
using KindSet = std::uint32_t;
static_assert(kKindCount <= 32);
inline constexpr KindSet kAllKinds = ~KindSet{0};
template <class... Kinds>
constexpr KindSet kinds(Kinds... each) {
  return (KindSet{0} | ... | (KindSet{1} << static_cast<int>(each)));
}
constexpr bool has(KindSet set, Kind kind) { return (set >> static_cast<int>(kind) & 1) != 0; }

struct Mode {
  const char* name = "";

  // Values.
  bool logs_accesses = true;  // else only calls, regions and synchronization are logged
  bool region_edges_end_epochs = true;
  bool dependences_end_epochs = true;  // outside regions each access is a transaction of its own
  bool blocks_are_regions = true;  // an annotated block counts as one region, as a function does
  bool takes_inline = true;        // compiled code may take over words whose owner the clock covers
  bool takes_atomics_inline = true;  // an atomic load of a read-shared word needs no hook
  // An atomic load holds a read-shared word, and comes after its writer. For modes in which a writer
  // asks no reader to come to a safe point: it could store between the check and the load.
  bool holds_shared_loads = false;
  bool in_bulk = true;         // runs of words may be taken over, or become read-shared, at once
  bool nests_inline = false;   // calls that end no epoch need no hook, and are logged late
  bool inherits_slots = true;  // a new thread may come after the last thread of its slot
  KindSet moves_clock = kAllKinds;  // synchronization that orders accesses
  KindSet ends_epoch = kAllKinds;   // what is published by these ends the epoch
  KindSet also_ends_epoch = 0;      // these end it though they publish nothing

  // Hooks. Those that are called by `call` may be null: then nothing happens, or the default.
  // Threads. `parent` is null for the first thread and for threads without a known parent.
  void (*thread_begins)(Thread& t, const Thread* parent) = nullptr;
  void (*started)(Thread& t) = nullptr;  // its start is logged
  void (*thread_ends)(Thread& t) = nullptr;
  // A slot is handed to a thread that does not come after its last one.
  void (*slot_is_reused)() = nullptr;
  // The thread has gone on in another slot, because the epochs of the old one are used up.
  void (*slot_changed)(Thread& t, Slot& old) = nullptr;
  // The thread is about to answer a request at a poll; or by signal, where its epoch goes on.
  void (*answers)(Thread& t, bool ends_epoch) = nullptr;
  // Another thread relies on the safe point of this slot's thread, and has the slot's lock.
  void (*granted)(Slot& slot) = nullptr;

  // Ownership: how data orders threads. `before` is the word as it was found.
  // Takes a word over that is nobody's, or whose owner the clock covers. False: look again.
  bool (*take)(Thread& t, std::uint64_t address, Word before, Word after, Need need) = nullptr;
  // The word is held and would go to this thread, or become read-shared. True: the mode keeps it as
  // contended, and it is held no more.
  bool (*keeps)(Thread& t, std::uint64_t address, Word before, Need need) = nullptr;
  // An access to a contended word. True: log it.
  bool (*use_contended)(Thread& t, std::uint64_t address, Word mask, Need need,
                        bool atomic) = nullptr;
  // The word is held and exclusive to another, in an epoch that the clock does not cover. plain: no
  // atomic operation.
  void (*order_after_owner)(Thread& t, std::uint64_t address, Word before, bool plain) = nullptr;
  // The words are held and read-shared, with counters up to this one: before a write.
  void (*order_after_readers)(Thread& t, const Granules& granules, std::uint64_t counter) = nullptr;
  // A read-shared word above the limit, before a read. False: look again.
  bool (*order_after_writers)(Thread& t, std::uint64_t address, Word before) = nullptr;
  // The word is held and read-exclusive to another: what it becomes for a second reader.
  Word (*share)(Thread& t, std::uint64_t address, Word before) = nullptr;
  // The word is held, was `before`, and becomes this thread's without having been written by it.
  void (*keep_writer)(std::uint64_t address, Word before) = nullptr;
  // Of `count` granules the first ones, read-shared, that this thread may read together.
  std::uint64_t (*read_together)(Thread& t, std::uint64_t address, std::uint64_t count) = nullptr;

  // Writes the marker by which this thread comes after `epoch` of another slot, and after all that
  // its thread has done by now. Returns the epoch that the marker covers. Null: write_marker.
  std::uint64_t (*take_order)(Thread& t, Slot& other, std::uint64_t epoch,
                              bool is_dependence) = nullptr;

  // Synchronization. comes_after: what was left at an object is observed; true: a marker was
  // written. Null: write_sync_marker. forks: before and after the fork is logged. lock_released: true if nothing was done under the lock that others may see.
  bool (*comes_after)(Thread& t, const Contribution& left, bool moves_clock) = nullptr;
  void (*forks)(Thread& parent) = nullptr;
  void (*forked)(Thread& parent, Thread& child) = nullptr;
  // The function of this record gives up the lock next, and does nothing else before it ends.
  void (*last_release)(Thread& t, std::uint64_t record, std::uint64_t lock) = nullptr;
  void (*releases)(Thread& t, std::uint64_t lock) = nullptr;  // logged, and not seen by others yet
  void (*lock_acquired)(Thread& t, std::uint64_t lock, LockMode mode) = nullptr;
  bool (*lock_released)(Thread& t, std::uint64_t lock) = nullptr;
  // A synchronization object is initialized or destroyed: the write of its first byte is logged
  // next. Null: it is not logged.
  void (*writes_object)(std::uint64_t object) = nullptr;
  // The thread gets a piece of work that another could have got. Null: it is not logged.
  void (*work_handed_out)(Thread& t) = nullptr;

  // Calls. before_event: something is logged that the calls around it matter for.
  void (*before_event)(Thread& t) = nullptr;
  void (*waits)(Thread& t,
                Waiting waiting) = nullptr;  // the thread waits for others, or wakes them
  Closes (*closes)(const Thread& t, const FunctionRecord& function, Closes closes) = nullptr;
  bool (*logged_late)(Thread& t, const OpenEdge& edge) = nullptr;
  void (*entering)(Thread& t, OpenEdge& edge) = nullptr;  // the edge is pushed, and not logged yet
  void (*entered)(Thread& t, const OpenEdge& edge) = nullptr;
  void (*leaving)(Thread& t) = nullptr;                     // popped, its end is logged next
  void (*left)(Thread& t, const OpenEdge& edge) = nullptr;  // popped, its end logged
  void (*edge_passed)(Thread& t) = nullptr;  // regions have begun or ended, the epoch is new
};
extern Mode g_mode;

template <class... Parameters, class... Arguments>
[[gnu::always_inline]] inline void call(void (*hook)(Parameters...), Arguments&&... arguments) {
  if (hook != nullptr) hook(arguments...);
}
template <class Result, class... Parameters, class... Arguments>
[[gnu::always_inline]] inline Result call_or(Result otherwise, Result (*hook)(Parameters...),
                                             Arguments&&... arguments) {
  return hook == nullptr ? otherwise : hook(arguments...);
}

// What else the reader has asked for. Any mode may have any of these.
struct Options {
  bool every_operation = false;  // each operation is an event of its own, repeats too (full mode)
  bool strict = false;           // races are ordered exactly
  bool data_only = false;        // synchronization is no dependence (--sync-edges off)
  bool logs_outside = true;      // accesses outside regions are logged
  bool arrays = true;            // blocks of memory and strided loops are accesses
  // Compiled code may: claim what is its own; read what is shared; gather loops.
  bool claims_inline = true;
  bool reads_shared_inline = true;
  bool gathers_loops = true;
};
extern Options g_options;

// What an operation is about to touch, for a scheduler that tells conflicting operations apart.
struct PendingOperation {
  std::uint64_t address = 0;  // of memory, or of a lock; 0: nothing that others conflict with
  std::uint64_t size = 0;
  bool writes = false;  // a lock: it is exclusive
};

// Before an operation of the program, and before an access or a lock: where one thread runs at a
// time the turn may go to another (schedule/), where noise is asked for the thread may give way
// (modes/noise.h). Null: nothing happens. Both are safe points.
extern void (*g_operation_point)(Thread&, const PendingOperation&);
extern void (*g_atomic_point)(Thread&, std::uint64_t address);  // ... of an atomic operation
extern void (*g_noise_point)(Thread&);
// Right before an operation touches these bytes, or an object of synchronization there.
extern void (*g_use_point)(Thread&, std::uint64_t address, std::uint64_t size);

inline void use_point(Thread& t, std::uint64_t address, std::uint64_t size) {
  if (g_use_point != nullptr) [[unlikely]]
    g_use_point(t, address, size);
}

inline void point(Thread& t, const PendingOperation& pending = {}) {
  if (g_operation_point == nullptr) [[likely]]
    return;
  g_operation_point(t, pending);
  if (pending.address != 0) use_point(t, pending.address, pending.size);
}
inline void make_noise(Thread& t) {
  if (g_noise_point != nullptr) [[unlikely]]
    g_noise_point(t);
}

}  // namespace isosan::rt
