// Drains the log of a run whose events are not needed, so that the target can go on. The operations
// of each thread are digested, so that two runs can be compared.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "live/child.h"
#include "live/shared_log.h"
#include "live/stillness.h"

namespace isosan {

struct OperationDigest {
  std::uint64_t operations = 0;
  std::uint64_t hash = 0;  // over kinds and places, in the thread's order

  bool operator==(const OperationDigest&) const = default;
};

struct DrainOptions {
  std::function<void()> each_look;
  // A scheduled run in which so many operations in a row change nothing is ended, unless it depends
  // on the outside: time, descriptors, signals.
  std::uint64_t most_still = Stillness::kNever;
};

struct Drained {
  std::map<std::uint32_t, OperationDigest> digests;  // by ThreadId
  bool was_still = false;                            // and was ended
};

// Returns when the child has ended. If the program overwrites its log, reading stops.
Drained drain(SharedLog& log, Child& child, const DrainOptions& options = {});

}  // namespace isosan
