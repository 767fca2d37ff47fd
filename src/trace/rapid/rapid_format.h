// RapidBin, the binary format of RAPID: a header and one 64-bit word per event, all big-endian.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace isosan::rapid {

// int16 threads, int32 locks, int32 variables, int64 events
inline constexpr std::size_t kHeaderSize = 2 + 4 + 4 + 8;
inline constexpr std::size_t kEventSize = 8;

// A word: bits 0-9 thread, 10-13 operation, 14-47 operand, 48-62 location.
struct Bits {
  int shift;
  int width;

  constexpr std::uint64_t max() const { return (std::uint64_t{1} << width) - 1; }
  constexpr std::uint64_t get(std::uint64_t word) const { return (word >> shift) & max(); }
  constexpr std::uint64_t put(std::uint64_t value) const { return value << shift; }
};
inline constexpr Bits kThread{0, 10};
inline constexpr Bits kOperation{10, 4};
inline constexpr Bits kOperand{14, 34};
inline constexpr Bits kLocation{48, 15};

enum class Op : std::uint8_t {
  kAcquire,
  kRelease,
  kRead,
  kWrite,
  kFork,
  kJoin,
  kBegin,
  kEnd,
  kRequest,  // left out, as in STD: it orders nothing
  kBranch,
};
inline constexpr std::uint64_t kOps = 10;

constexpr std::uint64_t swap_bytes(std::uint64_t x) { return __builtin_bswap64(x); }
static_assert(std::endian::native == std::endian::little);

inline std::uint64_t load_big(const char* p, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, p, bytes);
  return swap_bytes(value) >> (64 - 8 * bytes);
}
inline void store_big(char* p, std::uint64_t value, std::size_t bytes) {
  value = swap_bytes(value << (64 - 8 * bytes));
  std::memcpy(p, &value, bytes);
}

}  // namespace isosan::rapid
