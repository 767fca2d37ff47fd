// The state machine of regions against a list of open edges: every sequence of six entries, exits
// and waits.
#include "runtime/calls/regions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace isosan::rt {
namespace {

constexpr Closes kAll[] = {Closes::kNever, Closes::kOutermost, Closes::kUnlogged, Closes::kAlways,
                           Closes::kNoUnit};

// What is open, outermost first, and what the state machine made of it.
struct Opened {
  std::vector<Closes> open;
  RegionState state;

  std::uint32_t regions() const {
    return static_cast<std::uint32_t>(std::count_if(open.begin(), open.end(), is_region));
  }
  void check() const {
    std::uint32_t loud = 0;
    for (const Closes each : open) loud += each == Closes::kAlways || each == Closes::kNoUnit;
    ASSERT_EQ(state.depth, regions());
    ASSERT_EQ(state.loud, loud);
    if (loud > 0) {
      ASSERT_FALSE(is_unlogged(state, true));
    } else if (state.depth > 0) {
      const auto outermost = std::find_if(open.begin(), open.end(), is_region);
      ASSERT_EQ(is_unlogged(state, false), *outermost == Closes::kUnlogged);
    }
    if (open.empty()) {
      ASSERT_TRUE(is_unlogged(state, true));
      ASSERT_FALSE(is_unlogged(state, false));
    }
  }
};

void explore(const Opened& run, int steps) {
  run.check();
  if (steps == 0 || testing::Test::HasFatalFailure()) return;
  for (const Closes closes : kAll) {
    Opened next = run;
    const bool always = closes == Closes::kAlways || closes == Closes::kNoUnit;
    const bool ends = enter(next.state, closes);
    ASSERT_EQ(ends, always || (is_region(closes) && run.regions() == 0));
    next.open.push_back(closes);
    explore(next, steps - 1);
  }
  if (run.open.empty()) return;
  {
    Opened next = run;
    const Closes closes = next.open.back();
    next.open.pop_back();
    const bool always = closes == Closes::kAlways || closes == Closes::kNoUnit;
    const bool ends = leave(next.state, closes);
    ASSERT_EQ(ends, always || (is_region(closes) && next.regions() == 0));
    explore(next, steps - 1);
  }
  for (std::size_t i = 0; i < run.open.size(); ++i) {
    if (!is_region(run.open[i])) continue;
    Opened next = run;
    const bool ends = give_up_region(next.state, next.open[i]);
    ASSERT_EQ(ends, next.regions() == 0);
    explore(next, steps - 1);
  }
}

TEST(Regions, FollowTheListOfOpenEdges) { explore(Opened{}, 6); }

}  // namespace
}  // namespace isosan::rt
