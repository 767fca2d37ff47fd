#include "predict/touches.h"

#include <array>
#include <utility>

namespace isosan::predict {

Touches::Touches(const ObservedRun& run, std::uint64_t most_at_once)
    : run_(run), most_at_once_(most_at_once), starts_(run.locations().size() + 1) {
  scan(0, slots(), [&](SlotIndex slot, const Touch&) { ++starts_[slot + 1]; });
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

// A counting sort.
SlotIndex Touches::gather(SlotIndex first) {
  const std::uint64_t limit = starts_[first] + most_at_once_;
  first_ = first;
  end_ = first + 1;
  while (end_ < slots() && starts_[end_ + 1] <= limit) ++end_;
  is_scanned_ = starts_[end_] > limit;
  touches_.clear();
  if (is_scanned_) return end_;
  touches_.resize(starts_[end_] - starts_[first_]);
  std::vector<std::uint64_t> next(starts_.begin() + first_, starts_.begin() + end_);
  scan(first_, end_, [&](SlotIndex slot, const Touch& touch) {
    touches_[next[slot - first_]++ - starts_[first_]] = touch;
  });
  return end_;
}

std::vector<std::uint8_t> Touches::pieces(SlotIndex slot) const {
  std::array<bool, 256> seen{};
  std::vector<std::uint8_t> pieces;
  std::uint8_t rest = 0xff;  // what no access has covered yet
  for_each(slot, [&](const Touch& touch) {
    if (std::exchange(seen[touch.mask], true)) return;
    std::vector<std::uint8_t> finer;
    for (const std::uint8_t piece : pieces) {
      const auto outside = static_cast<std::uint8_t>(piece & ~touch.mask);
      if (outside != 0) finer.push_back(outside);
      if (outside != piece) finer.push_back(piece & touch.mask);
    }
    if ((rest & touch.mask) != 0) finer.push_back(rest & touch.mask);
    rest &= static_cast<std::uint8_t>(~touch.mask);
    pieces = std::move(finer);
  });
  return pieces;
}

}  // namespace isosan::predict
