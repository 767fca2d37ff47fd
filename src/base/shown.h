// Makes text from a program, a trace or a file safe to print on a terminal.
//
// Law: the result has no control character, no line end, and nothing that changes the
// direction of writing; bytes that are no UTF-8 are escaped, too. Other text is unchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace isosan {
namespace detail {

struct Utf8 {
  std::uint32_t code = 0;
  std::size_t length = 1;
  bool good = false;
};

// The first character of `text`, which is not empty.
inline Utf8 first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  constexpr std::uint32_t kLowest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLowest[length] || code > 0x10ffff || surrogate) return {};
  return {code, length, true};
}

constexpr bool is_shown_as_it_is(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool line_end = code == 0x2028 || code == 0x2029;
  const bool direction = code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                         (code >= 0x2066 && code <= 0x2069);
  return !control && !line_end && !direction;
}

}  // namespace detail

// "a\x1b[31m" becomes "a\\x1b[31m", a line end "\\n".
inline std::string shown(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const detail::Utf8 next = detail::first_character(text);
    const std::string_view bytes = text.substr(0, next.length);
    text.remove_prefix(next.length);
    if (next.good && detail::is_shown_as_it_is(next.code)) {
      result += bytes;
    } else if (bytes == "\n" || bytes == "\t") {
      result += bytes == "\n" ? "\\n" : "\\t";
    } else {
      for (const char c : bytes) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(c) & 0xffu);
        result += escape;
      }
    }
  }
  return result;
}

// The same for text of several lines: line ends and tabs are kept.
inline std::string shown_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\n\t");
    result += shown(text.substr(0, end));
    if (end == text.npos) break;
    result += text[end];
    text.remove_prefix(end + 1);
  }
  return result;
}

}  // namespace isosan
