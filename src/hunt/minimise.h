// Minimises a failing schedule: as few changes of thread as possible.
//
// Model: a schedule is a list of steps, and the thread that runs first after them. Leaving out a
// step moves its work to the thread's next step, or behind the last step. First the end is cut off
// as far as possible (the tail's policy decides there), then pieces are left out, halves first,
// single steps last (delta debugging, Zeller 2002). A candidate that does not fail in the same way
// is not taken.
//
// Law: the result has been executed, and it failed.
#pragma once

#include <cstdint>
#include <functional>

#include "event/schedule.h"

namespace isosan {

// Runs the schedule. True: it fails in the same way, with so many changes of thread.
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
