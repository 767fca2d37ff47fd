// Makes a failing schedule small: the fewest changes of thread that still fail.
//
// Model: a schedule is a list of steps and who goes first behind them; leaving a step out lets its
// thread do that work later, in its next step or behind the last. First the end is cut off as far
// as possible (the policy of the tail does the rest), then pieces are left out, halves first,
// single steps last (delta debugging, Zeller 2002). What does not fail in the same way is not
// taken.
//
// Law: the result fails, and was seen to.
#pragma once

#include <cstdint>
#include <functional>

#include "event/schedule.h"

namespace isosan {

// Runs the schedule: how many changes of thread it took, if it fails in the way that is wanted.
using ScheduleTrial = std::function<bool(const Schedule& schedule, std::uint64_t& changes)>;

struct MinimisedSchedule {
  Schedule schedule;
  std::uint64_t changes = 0;  // of the run, its tail included
  std::uint64_t trials = 0;
};

// `start` fails with `changes`. At most `limit` trials.
MinimisedSchedule minimise(const Schedule& start, std::uint64_t changes, const ScheduleTrial& trial,
                           std::uint64_t limit);

}  // namespace isosan
