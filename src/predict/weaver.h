// Weaves threads to a cut-point: from "each of these threads stands here" to a schedule.
//
// Model (Penelope 4.2.2). Region I repeats the observed run up to the point where the first of the
// target threads has its last empty lockset before its target, every thread as far as *its* lockset
// is empty there. Region II brings the other targets to their last empty lockset, in the observed
// order, together with the operations that they wait for (causal_clocks.h; in the paper it is one
// thread only). Region III alternates between the targets: a lock that a target will hold at its
// end is acquired only when no other thread needs it any more, which is the paper's causal edge
// from the last release to the last acquisition.
//
// Law: the schedule of weave() is lock-valid and satisfies every demand of the clocks: it is made
// by executing it. It never fails for two threads whose locks nest, whose locksets are disjoint and
// histories compatible, and that wait for no other thread. Where locks do not nest, region III of
// two threads is decided exactly (a path through the grid of their lock states), as long as that
// grid is of reasonable size.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "predict/observed_run.h"

namespace isosan::predict {

struct Step {
  std::uint32_t thread = 0;
  std::uint32_t until = 0;  // operations executed

  bool operator==(const Step&) const = default;
};

struct Target {
  std::uint32_t thread = 0;
  std::uint32_t until = 0;  // operations executed when all targets are reached
  bool ready = false;       // its next operation can then be executed without waiting
};

struct Weave {
  std::vector<std::uint32_t> observed;  // region I: by thread, so many operations, as observed
  std::vector<Step> rest;               // regions II and III
};

std::optional<Weave> weave(const ObservedRun& run, std::span<const Target> targets);

}  // namespace isosan::predict
