// A small random multithreaded program with a fixed interleaving.
//
// Model: a program is its schedule, one list of steps in the order in which they happen. Each
// thread's code is what the list has of it; regions nest. A step runs when the counter (helpers.cc)
// has reached its number and advances the counter when it is done; a *glued* step follows the one
// before it in the same thread at once. Three operations block until another thread acts and are
// two steps: a wait on a condition (its end stands right behind the step that lets it go on), the
// first arrival at a barrier of two (likewise), and nothing else: locks are taken when they are
// free, semaphores when they have been posted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "event/kind.h"

namespace isosan::test {

enum class Op : std::uint8_t {
  kRead,
  kWrite,
  kAtomicLoad,
  kAtomicStore,
  kAtomicAdd,
  kFailedExchange,  // a compare-exchange that fails: a load
  kFence,
  kLock,
  kUnlock,
  kReadLock,
  kWriteLock,
  kUnlockShared,  // of the reader-writer lock, held for reading
  kUnlockWriter,
  kPost,
  kTake,
  kOnce,
  kNotify,
  kWaitBegin,
  kWaitEnd,
  kArrive,      // first of two: blocks
  kArriveLast,  // second of two
  kDepart,      // the first goes on
  kFork,
  kJoin,
  kBegin,
  kEnd,
};

enum class Shape : std::uint8_t {  // of what a kBegin opens
  kAtomicFunction,                 // chosen by name
  kMarkedFunction,                 // chosen by ISOSAN_ATOMIC (the tsan front: by name)
  kPlainFunction,                  // a region by the heuristic `methods` only
  kScopedBlock,                    // isosan::atomic_region
  kBeginEndBlock,                  // ISOSAN_ATOMIC_BEGIN, ISOSAN_ATOMIC_END
};
constexpr bool is_function(Shape shape) { return shape <= Shape::kPlainFunction; }

struct Step {
  int thread = 0;
  Op op{};
  bool glued = false;
  std::size_t object = 0;  // offset in Objects; kFork, kJoin: the thread
  std::size_t size = 0;    // bytes of an access
  MemoryOrder order{};
  Shape shape{};
  bool inlined = false;   // kBegin of a function: may be inlined
  bool leaf = false;      // kBegin: the function calls nobody, its steps are glued
  bool throws = false;    // kBegin: the function is left by an exception
  std::size_t begin = 0;  // kEnd: the step that began it
};

struct Program {
  int threads = 1;
  std::vector<Step> steps;
};

Program random_program(std::uint64_t seed);

constexpr bool is_access(Op op) { return op <= Op::kFailedExchange; }
constexpr bool is_plain(Op op) { return op == Op::kRead || op == Op::kWrite; }

}  // namespace isosan::test
