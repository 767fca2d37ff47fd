// A bit of Function::annotations beside those of tables.h, found by the pass: the function uses
// objects that it does not lie in, and reaches all of them through members of `this`
// (pass/code/members.h).
#pragma once

#include <cstdint>

namespace isosan {

inline constexpr std::uint32_t kUsesItsMembers = 2048;

}  // namespace isosan
