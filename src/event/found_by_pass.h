// Bits of Function::annotations that the pass has found, beside those of tables.h.
#pragma once

#include <cstdint>

#include "event/tables.h"

namespace isosan {

// The function uses objects that it does not lie in, and reaches all of them through members of
// `this` (pass/code/members.h).
inline constexpr std::uint32_t kUsesItsMembers = 2048;
// It is compiled with optimisation: the compiler may have dropped accesses, or made one of several.
inline constexpr std::uint32_t kOptimised = 4096;

// What no source says.
inline constexpr std::uint32_t kAllFoundByPass = kFoundByPass | kUsesItsMembers | kOptimised;

}  // namespace isosan
