// Atomizer's relaxed rules (Figs. 13, 14, 15 and 4.3) written down as plainly as possible: sets are
// std::set, every byte has its own state, every region its own phase. No interning, no memory of
// steps, no pieces, no counts. For small traces without calls, waits and declarations. Of ours too,
// but for what comes before what: that is ThreadOrder's, with a law of its own (thread_order_test).
#pragma once

#include <set>
#include <tuple>
#include <vector>

#include "analysis/atomizer/options.h"
#include "event/event.h"

namespace isosan::test {

// (region, ordinal of the commit, ordinal of the violation)
using Windows = std::set<std::tuple<RegionId, std::uint64_t, std::uint64_t>>;

Windows reference_windows(const std::vector<Event>& events, const AtomizerOptions& options);

}  // namespace isosan::test
