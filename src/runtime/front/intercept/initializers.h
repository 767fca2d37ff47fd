// Which initializer a call of once brings.
#pragma once

#include <cstdint>

namespace isosan::rt {

// A number for what `function`, the argument of pthread_once or of C's call_once, would run: the
// same for the same code. To be asked by the calling thread, before the real call.
std::uint64_t initializer_of(void (*function)());

}  // namespace isosan::rt
