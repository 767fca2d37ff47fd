// Lock-order inversions: cycles of threads that each hold a lock that the next one acquires.
//
// Model (Goodlock, Havelund 2000; the cut-point view is ours). An acquisition of m while l is held
// is an edge from l to m. A cycle of edges of different threads, in which each acquires what the
// next one holds and the modes exclude each other, is a deadlock if all of them can be right before
// their inner acquisitions at one time. That is a cut-point of these threads, and weave() decides
// it: with a common gate lock the locksets overlap; fork and join are demands of the clocks. Cycles
// of up to kMaxCycle threads are looked for.
#pragma once

#include <vector>

#include "predict/candidate.h"

namespace isosan::predict {

inline constexpr std::size_t kMaxCycle = 4;

std::vector<Candidate> find_lock_cycles(const ObservedRun& run, const SearchLimits& limits);

}  // namespace isosan::predict
