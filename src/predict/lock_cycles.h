// Lock-order inversions: cycles of threads that each hold a lock which the next one wants.
//
// Model (Goodlock, Havelund 2000; the cut-point view is ours). An acquisition of m while l is held
// is an edge from l to m. A cycle of edges of different threads, in which each wants what the next
// one holds and the modes exclude each other, is a deadlock if all of them can stand right before
// their inner acquisitions at one time. That is a cut-point of as many threads, and weave() decides
// it: a common gate lock makes the locksets overlap, fork and join make the clocks demand too much.
// Cycles of up to kMaxCycle threads are looked for.
#pragma once

#include <vector>

#include "predict/candidate.h"

namespace isosan::predict {

inline constexpr std::size_t kMaxCycle = 4;

std::vector<Candidate> find_lock_cycles(const ObservedRun& run, const SearchLimits& limits);

}  // namespace isosan::predict
