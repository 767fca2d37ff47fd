#include "runtime/shadow/pieces.h"

#include "runtime/platform/os.h"

namespace isosan::rt {

bool Pieces::map(std::uint64_t piece) {
  std::atomic<State>& state = states_[piece];
  State expected = State::kNone;
  if (!state.compare_exchange_strong(expected, State::kUnderWay,
                                     std::memory_order_acq_rel)) {                  // order: table
    while (state.load(std::memory_order_acquire) == State::kUnderWay) yield_cpu();  // order: table
    return has(piece);
  }
  const std::uint64_t begin = (piece << kPieceShift) ^ flipped_;
  constexpr std::uint64_t kSize = std::uint64_t{1} << kPieceShift;
  constexpr std::uint64_t kEnd = 16 * 4096;  // user space ends one page early on some kernels
  const bool mapped = map_fixed(begin, kSize) || map_fixed(begin, kSize - kEnd);
  state.store(mapped ? State::kMapped : State::kTaken, std::memory_order_release);  // order: table
  return mapped;
}

}  // namespace isosan::rt
