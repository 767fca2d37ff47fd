// A copy of the address space, flipped by some high bits, of which pieces of 1 TiB are mapped,
// without reservation, when they are needed.
#pragma once

#include <atomic>
#include <cstdint>

namespace isosan::rt {

inline constexpr int kPieceShift = 40;
inline constexpr std::uint64_t kPieces = std::uint64_t{1} << (48 - kPieceShift);
constexpr std::uint64_t piece_of(std::uint64_t address) { return address >> kPieceShift; }

class Pieces {
 public:
  explicit constexpr Pieces(std::uint64_t flipped) : flipped_(flipped) {}

  bool has(std::uint64_t piece) const {
    return states_[piece].load(std::memory_order_acquire) == State::kMapped;  // order: table
  }
  bool map(std::uint64_t piece);  // false: its place is taken; it is not tried again
  // Somebody else maps what is touched of it.
  void leave_to_faults(std::uint64_t piece) {
    states_[piece].store(State::kMapped, std::memory_order_release);  // order: table
  }

 private:
  enum class State : std::uint8_t { kNone, kUnderWay, kMapped, kTaken };

  const std::uint64_t flipped_;
  std::atomic<State> states_[kPieces]{};
};

}  // namespace isosan::rt
