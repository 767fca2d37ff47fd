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

// A number that says nothing is no member's.
constexpr Accessibility accessibility_of(std::uint8_t number) {
  return number <= static_cast<std::uint8_t>(Accessibility::kPrivate)
             ? static_cast<Accessibility>(number)
             : Accessibility::kNone;
}

}  // namespace isosan
