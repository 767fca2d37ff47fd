// Functions that wait for other threads, or wake them, are no regions by heuristic
// (regions.md): which operations count, and for which functions. One table for the runtime,
// which learns of them as they happen, and for the stage that makes regions of the events; the pass
// has the names of the functions instead (pass/tables/function_traits.cc).
#pragma once

#include "event/kind.h"

namespace isosan {

enum class Waiting : std::uint8_t {
  kNone,
  kFunction,  // the innermost function that is not the library's: it wakes others, and goes on
  kCallers,   // that one and all its callers: none can be atomic around what another thread does
              // meanwhile
};

constexpr Waiting waiting_of(Kind kind) {
  if (has(kind, trait::kWaitsForCallers)) return Waiting::kCallers;
  return has(kind, trait::kWaits) ? Waiting::kFunction : Waiting::kNone;
}

}  // namespace isosan
