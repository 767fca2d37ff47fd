// The schedule inside the shared mapping (LogHeader::schedule_offset): what the isosan process asks
// of the target's scheduler, and what the target reports of the run. Plain data, offsets from the
// beginning of the mapping; part of the contract of log_format.h (kLogVersion).
//
// Threads are numbered by a table of paths. Entry 0 is the main thread. Each other entry names its
// parent, and says which of the parent's children it is. The reader enters the threads that its
// steps name; the target adds the others when they are created.
#pragma once

#include <atomic>
#include <cstdint>

namespace isosan::log {

inline constexpr std::uint32_t kNoPath = 0xffffffff;

// Which thread runs after the last step.
enum class Policy : std::uint32_t {
  kRunOn,   // the thread that runs goes on until it blocks or ends, then the next in birth order
  kRandom,  // before each operation any thread that can run, all alike
  kPct,     // random priorities, and depth - 1 points at which the running thread gets the lowest
  kPos,     // a random priority for each operation, drawn again when a conflicting one has run
  kSurw,    // the order of the operations on one object, uniformly; otherwise as kRandom
};

enum class RunState : std::uint32_t {
  kFollowing,  // steps are left
  kBehind,     // all steps are taken, the policy rules
  kLeft,       // a step could not be taken: `why`, `step`; the target has ended itself
  kDeadlock,   // threads wait for each other in a cycle, or no thread can go on: the table of
               // paths; the target ended itself
};

enum class LeftBecause : std::uint32_t {
  kNothing,
  kNotBorn,  // the step's thread does not exist yet
  kEnded,    // it has ended before it got so far
  kBlocked,  // it waits for something that another thread must do first
  kOutside,  // it waits for something outside; with RunState::kFollowing: at this moment
  kOpenMp,   // threads of OpenMP cannot be scheduled
  kUnseen,   // a thread runs instrumented code that was not started by an intercepted function
  kTooMany,  // more threads were started than the table of paths has room for
};

enum class Waits : std::uint32_t {
  kNot,
  kLock,
  kSharedLock,
  kCondition,
  kBarrier,
  kSemaphore,
  kOnce,
  kJoin,
  kFutex,
  kSleep,
  kOutside,  // for something outside of the program: a descriptor, a process, a signal
  kEnded,
};

struct PathEntry {
  std::uint32_t parent = kNoPath;
  std::uint32_t ordinal = 0;
  Waits waits{};             // as of the end of the run
  std::uint32_t thread = 0;  // ThreadId in the trace; kNoPath: not born
  std::uint64_t object = 0;  // what it waits for
  std::uint64_t executed = 0;
  std::uint32_t blocker = kNoPath;  // ThreadId of who must act first, where that is one thread
  // kSurw: how many operations on the object the thread is likely to have, those of all its
  // descendants included.
  std::uint64_t weight = 0;
};

inline constexpr std::uint64_t kNoStop = ~std::uint64_t{0};
inline constexpr std::uint32_t kUnlocked = 0xffffffff;  // Step::beyond: until it holds no lock

struct Step {
  std::uint64_t until = 0;
  std::uint32_t path = 0;
  std::uint32_t beyond = 0;
};
static_assert(sizeof(Step) == 16);

// What a program may depend on besides its threads. Bits.
enum World : std::uint32_t {
  kClock = 1,    // what time it is
  kRandom = 2,   // random numbers of the system
  kOutside = 4,  // a descriptor, a process or a signal that it had to wait for
  kSignals = 8,  // signals: it has a handler
};

// What the run was found to break (schedule/oracles.h). The run has ended there.
enum class Broken : std::uint32_t {
  kNothing,
  kUseAfterFree,
  kDoubleFree,
  kInvariant,  // one that the program declares does not hold
};

struct ScheduleArea {
  // Set by the isosan process.
  Policy policy{};
  std::uint32_t pct_depth = 3;
  std::uint64_t pct_length = 0;  // operations that the run is likely to have
  std::uint64_t object = 0;      // kSurw: address of memory or of a lock ...
  std::uint64_t object_size = 0;
  std::uint64_t seed = 0;
  std::uint32_t first_after = kNoPath;
  std::uint32_t last_after = kNoPath;  // kRunOn: it runs when no other thread can
  std::uint64_t stop_after = kNoStop;  // SIGSTOP when so many steps are taken, for a debugger
  std::uint64_t step_count = 0;
  std::uint64_t steps_offset = 0;  // Step[step_count]
  std::uint64_t paths_offset = 0;  // PathEntry[max_paths]
  std::uint32_t max_paths = 0;
  std::uint64_t taken_offset = 0;  // Step[max_taken]: the run as it went, one per change of thread
  std::uint64_t max_taken = 0;
  std::uint32_t fixed = 0;             // of World: the same in every run
  std::uint32_t keep_freed = 0;        // freed memory is not used again (schedule/freed.h)
  std::uint32_t check_invariants = 0;  // those of the program, when the turn changes
  // Reported by the target.
  std::atomic<std::uint32_t> stopped{0};  // when it stops: the kernel's id of who goes on next
  std::atomic<std::uint32_t> paths{1};
  std::atomic<std::uint32_t> running{0};  // path of the thread that runs
  std::atomic<std::uint64_t> taken{0};    // may be more than max_taken: the first ones were kept
  std::atomic<std::uint64_t> steps_done{0};
  std::atomic<RunState> state{};
  LeftBecause why{};
  std::atomic<std::uint32_t> asked_world{0};  // of World: used by the program, fixed or not
  std::uint32_t invariants = 0;               // that the program has declared
  Broken broken{};
  std::uint32_t broken_by = 0;  // ThreadId
  std::uint64_t broken_address = 0;
  std::uint64_t broken_size = 0;
  char broken_invariant[128] = {};  // its name
};

}  // namespace isosan::log
