// How much an analysis keeps about memory.
//
// Model: it looks between two batches of events. When the state has grown enough since the last
// look, pages of which nothing matters any more are dropped; that changes no verdict. If that leaves
// three quarters of `most` bytes, pages that only one thread has used are *forgotten*, and if that
// leaves half of them, all others: so the next look is not soon. Forgotten locations are as if
// nobody had used them: findings through them are missed, and none is false.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/byte_map.h"

namespace isosan {

inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

struct LocationLimits {  // bytes of an analysis
  std::uint64_t most = kUnlimited;
  std::uint64_t first_look = 32u << 20;
  std::uint64_t growth = 2;  // from one look to the next
};

class LocationRoom {
 public:
  explicit LocationRoom(const LocationLimits& limits)
      : limits_(limits), next_look_(limits.first_look) {}

  // matters(cell): may it be part of a finding? of_one_thread(cell): nobody else has used it.
  template <class Cell, class Matters, class OfOneThread>
  void look_at(ByteMap<Cell>& memory, Matters&& matters, OfOneThread&& of_one_thread) {
    if (memory.bytes() < std::min(next_look_, limits_.most)) [[likely]]
      return;
    memory.collect([&](const Cell& cell) { return !matters(cell); });
    if (memory.bytes() >= limits_.most / 4 * 3) {
      forgotten_ += memory.collect(of_one_thread);
      if (memory.bytes() >= limits_.most / 2)
        forgotten_ += memory.collect([](const Cell&) { return true; });
    }
    next_look_ = std::max(limits_.first_look, memory.bytes() * limits_.growth);
  }

  // One event may be about more memory than is kept: f(address, size) for one part after another.
  template <class F>
  static void in_parts(std::uint64_t address, std::uint64_t size, F&& f) {
    constexpr std::uint64_t kPart = 1u << 20;
    for (; size > kPart; address += kPart, size -= kPart) f(address, kPart);
    f(address, size);
  }

  // Bytes of the program, counted by whole pages, and again each time.
  std::uint64_t forgotten() const { return forgotten_; }

 private:
  const LocationLimits limits_;
  std::uint64_t next_look_;
  std::uint64_t forgotten_ = 0;
};

}  // namespace isosan
