// Region III where locks do not nest: a path through the grid of two threads' lock states.
//
// Model: a point of the grid is "the first thread has executed i of its lock events, the second j
// of its own"; it is forbidden where their locksets exclude each other (Dijkstra's progress graph).
// The lower left corner is two empty locksets, the upper right one the cut-point. A path that only
// goes right and up and avoids forbidden points is a lock-valid schedule, and there is no
// other.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "predict/observed_run.h"
#include "predict/weaver.h"

namespace isosan::predict {

// From (first.until, second.until) to (first_end, second_end). nullopt if there is no path, or if
// the grid has more than kMaxGrid points.
std::optional<std::vector<Step>> path_through_locks(const ObservedRun& run, Step first, Step second,
                                                    std::uint32_t first_end,
                                                    std::uint32_t second_end);

inline constexpr std::uint64_t kMaxGrid = 4'000'000;

}  // namespace isosan::predict
