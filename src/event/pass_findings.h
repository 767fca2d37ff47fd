// Bits of Function::annotations beside those of tables.h: what the pass has read off a function's body.
#pragma once

#include <cstdint>

namespace isosan {

// It uses objects that it does not lie in, and reaches all of them through members of `this`
// (pass/code/members.h).
inline constexpr std::uint32_t kUsesItsMembers = 2048;

// It starts threads, or waits for their end or for time to pass, itself or in what it calls
// (call_names.h).
inline constexpr std::uint32_t kDrives = 4096;

}  // namespace isosan
