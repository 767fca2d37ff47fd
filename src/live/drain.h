// Drains the log of a run whose events are not needed, so that the target can go on. The operations
// of each thread are digested, so that two runs can be compared.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "live/child.h"
#include "live/shared_log.h"

namespace isosan {

struct OperationDigest {
  std::uint64_t operations = 0;
  std::uint64_t hash = 0;  // over kinds and places, in the thread's order

  bool operator==(const OperationDigest&) const = default;
};

// Returns when the child has ended, with the digest of each thread (by ThreadId). If the program
// overwrites its log, reading stops.
std::map<std::uint32_t, OperationDigest> drain(SharedLog& log, Child& child,
                                               const std::function<void()>& each_look = nullptr);

}  // namespace isosan
