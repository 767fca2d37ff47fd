// Numbers on the command line: nothing but digits, within bounds. (CLI11 lets "-3" wrap.)
#pragma once

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string>

namespace isosan {

inline CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (whole && least <= value && value <= most) return "";
    return most == std::numeric_limits<std::uint64_t>::max()
               ? fmt::format("'{}' is not a whole number from {}", text, least)
               : fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
  };
  return CLI::Validator(check, "");
}

inline CLI::Validator whole_number(std::uint64_t least) {
  return whole_number(least, std::numeric_limits<std::uint64_t>::max());
}

// A positive time in seconds.
inline CLI::Validator seconds() {
  const auto check = [](const std::string& text) -> std::string {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool number = error == std::errc{} && end == text.data() + text.size();
    if (number && value > 0 && value <= 1e6) return "";
    return fmt::format("'{}' is not a number of seconds above 0", text);
  };
  return CLI::Validator(check, "");
}

}  // namespace isosan
