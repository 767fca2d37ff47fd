// Numbers in the bytes of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace isosan {

// All zero where the file ends before.
template <class T>
T read_as(std::span<const std::byte> bytes, std::uint64_t offset) {
  T value{};
  if (offset <= bytes.size() && bytes.size() - offset >= sizeof(T)) {
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
  }
  return value;
}

}  // namespace isosan
