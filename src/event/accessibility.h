// Who may call a function, as its class says; a number of the pass's records.
#pragma once

#include <cstdint>

namespace isosan {

enum class Accessibility : std::uint8_t {
  kNone,  // no member
  kPublic,
  kProtected,
  kPrivate
};

}  // namespace isosan
