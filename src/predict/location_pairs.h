// Locations that belong together: most region executions that use one of them use the other, too.
//
// Model: the executions that count are, for each access, the widest one around it that touches at
// most kMostTogether shared locations. Two locations belong together if more than half of the
// executions of either have both. (Penelope has patterns over one variable; this is ours.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "predict/touches.h"

namespace isosan::predict {

inline constexpr std::size_t kMostTogether = 8;

struct LocationPair {
  Location first, second;
};

// All touches must be here.
std::vector<LocationPair> locations_used_together(const ObservedRun& run, const Touches& touches,
                                                  bool threads_are_regions);

// Calls f(Touch, touches the first, touches the second) in linear order.
template <class F>
void for_each_touch(const Touches& touches, const LocationPair& pair, F&& f) {
  const auto [a, b] = pair;
  auto first = touches.of(a.slot).begin(), second = touches.of(b.slot).begin();
  const auto first_end = touches.of(a.slot).end(), second_end = touches.of(b.slot).end();
  const auto skip = [](auto& at, auto end, std::uint8_t bytes) {
    while (at != end && (at->mask & bytes) == 0) ++at;
  };
  for (;;) {
    skip(first, first_end, a.bytes);
    skip(second, second_end, b.bytes);
    if (first == first_end && second == second_end) return;
    const bool has_first = first != first_end, has_second = second != second_end;
    const bool is_first = has_first && (!has_second || first->id <= second->id);
    const bool is_second = has_second && (!has_first || second->id <= first->id);
    f(is_first ? *first : *second, is_first, is_second);
    if (is_first) ++first;
    if (is_second) ++second;
  }
}

}  // namespace isosan::predict
