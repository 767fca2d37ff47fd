// Small well-formed random traces for property tests.
//
// Model: a random trace is a list of *intents* ("thread 2 wants lock 1"). trace() plays them in
// order against the state of locks, regions, barriers and threads, and passes over an intent that
// cannot be (a lock that another thread holds, an end without a begin, a thread that has ended). So
// any part of the list is again a well-formed trace: shrinking just drops intents, then makes the
// rest simpler. About half of the traces are not serializable (random_trace_test.cc says how many).
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "oracle/trace_builder.h"

namespace isosan::test {

enum class Intention : std::uint8_t {
  kRead,
  kWrite,
  kBegin,
  kEnd,
  kAcquire,
  kRelease,
  kFork,
  kJoin,
  kThreadEdge,  // ThreadStart if the thread is fresh, otherwise ThreadEnd
  kAtomicLoad,
  kAtomicStore,
  kAtomicRmw,
  kFence,
  kAllocate,
  kFree,
  kBarrier,
  kPost,
  kTake,
  kNotify,
  kWait,
  kOnce,
  kPublish,
  kObserve,
};

struct Intent {
  Intention what{};
  std::uint8_t thread = 0;
  std::uint8_t object = 0;  // which variable, lock, thread, region, ...
  std::uint8_t offset = 0;  // of bytes in the variable
  std::uint8_t size = 8;
  std::uint8_t detail = 0;  // memory order, lock mode, region kind
  bool operator==(const Intent&) const = default;
};

struct RandomTrace {
  std::vector<Intent> intents;
  Trace trace() const;
};
std::ostream& operator<<(std::ostream& out, const RandomTrace& random);  // as STD text

struct RandomTraceOptions {
  int max_intents = 64;
  int max_threads = 5;
  int max_variables = 3;
  bool byte_ranges = true;   // in some traces: overlapping accesses of different sizes
  bool atomics = true;       // in some traces
  bool memory_reuse = true;  // in some traces
  bool rare_sync = true;     // in some traces: barriers, semaphores, conditions, once, publish
  bool region_kinds = true;  // now and then regions that are not atomic
};

rc::Gen<RandomTrace> random_traces(const RandomTraceOptions& options = {});

}  // namespace isosan::test
