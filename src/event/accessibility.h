// The access specifier of a member function, as a number in the pass's records.
#pragma once

#include <cstdint>

namespace isosan {

enum class Accessibility : std::uint8_t {
  kNone,  // no member
  kPublic,
  kProtected,
  kPrivate
};

// An unknown number counts as no member.
constexpr Accessibility accessibility_of(std::uint8_t number) {
  return number <= static_cast<std::uint8_t>(Accessibility::kPrivate)
             ? static_cast<Accessibility>(number)
             : Accessibility::kNone;
}

}  // namespace isosan
