// A walk: the accesses of one instruction of a loop, one stride apart, gathered before they are
// logged (runtime/log/walks.h). Both sides include this file: if the program dies, the reader takes
// the open walks from the block of their thread.
#pragma once

#include <bit>
#include <cstdint>

#include "runtime/contract/log_format.h"

namespace isosan::log {

inline constexpr std::uint64_t kWalkWrites = std::uint64_t{1} << 63;
inline constexpr std::uint64_t kWalkClosed = std::uint64_t{1} << 62;

constexpr std::uint64_t step_of(const Walk& walk) {  // modulo 2^64
  return static_cast<std::uint64_t>(std::int64_t{walk.stride});
}
constexpr std::uint64_t distance_of(const Walk& walk) {
  return walk.stride < 0 ? -step_of(walk) : step_of(walk);
}

// The record of an open walk, or a few if it is short. Returns how many units.
inline constexpr std::uint64_t kWalkUnits = 3;
constexpr std::uint64_t units_of(const Walk& walk, LogUnit (&units)[kWalkUnits]) {
  const std::uint8_t code = code_of((walk.place & kWalkWrites) != 0 ? Kind::kWrite : Kind::kRead);
  const auto extension = [](Code extension_code, std::uint64_t number) {
    return LogUnit{std::uint64_t{static_cast<std::uint8_t>(extension_code)} << 48, number};
  };
  const std::uint64_t first = walk.next - walk.count * step_of(walk);
  if (distance_of(walk) == walk.size) {
    const std::uint64_t bytes = std::uint64_t{walk.count} * walk.size;
    const std::uint64_t low = walk.stride < 0 ? walk.next + walk.size : first;
    if (bytes < 256) {
      units[0] = make_unit(code, low, walk.place, static_cast<std::uint8_t>(bytes));
      return 1;
    }
    units[0] = make_unit(code, low, walk.place);
    units[1] = extension(Code::kExtension, bytes);
    return 2;
  }
  if (walk.count <= kWalkUnits) {
    for (std::uint32_t i = 0; i < walk.count; ++i) {
      const std::uint64_t address = first + i * step_of(walk);
      units[i] = make_unit(code, address, walk.place, static_cast<std::uint8_t>(walk.size));
    }
    return walk.count;
  }
  units[0] = make_unit(code, first, walk.place, static_cast<std::uint8_t>(walk.size));
  units[1] = extension(Code::kExtension, walk.count);
  units[2] = extension(Code::kRange, step_of(walk));
  return 3;
}

// Calls f(walk) for the open walks of a block, in the order in which they began.
template <class F>
void for_each_open_walk(ThreadBlock& block, F&& f) {
  for (std::uint64_t left = block.open_walks; left != 0;) {
    int earliest = std::countr_zero(left);
    for (std::uint64_t others = left & (left - 1); others != 0; others &= others - 1) {
      const int other = std::countr_zero(others);
      if (block.walks[other].begun < block.walks[earliest].begun) earliest = other;
    }
    left &= ~(std::uint64_t{1} << earliest);
    f(block.walks[earliest]);
  }
}

}  // namespace isosan::log
