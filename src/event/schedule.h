// A schedule: which thread runs, and how far, so that an execution goes the way somebody wants.
//
// Model: every thread counts the operations it has executed (is_operation), from 0; the count
// depends on that thread alone and means the same thing in every run. In full mode every operation
// is an event of the trace, so that the count of an operation is the number of operations of its
// thread before it in the trace. A step (T, n) lets T alone run until it is about to execute its
// operation n; an operation that blocks gives way. Behind the last step `first_after` goes first
// and the run stays serialized.
//
// A thread can stop before each operation, and also where it does something that is none: a lock
// that it tries and does not get, a sleep, a call that blocks. `beyond` counts these points behind
// operation until - 1; it is 0 in a prediction, and in a recorded schedule makes the replay exact.
//
// Threads are named by birth path (Thread::birth_path): the same name in every run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/kind.h"

namespace isosan {

struct ScheduleStep {
  std::string thread;        // birth path
  std::uint64_t until = 0;   // runs while it has executed fewer operations than this,
  std::uint32_t beyond = 0;  // and then passes so many points at which it could stop (below)

  bool operator==(const ScheduleStep&) const = default;
};

struct Schedule {
  std::vector<std::string> build_ids;  // of the instrumented modules; a changed binary is refused
  std::vector<ScheduleStep> steps;
  std::string first_after;         // birth path; empty: whoever ran last
  std::vector<std::string> notes;  // what it is meant to show, for people

  bool operator==(const Schedule&) const = default;
};

}  // namespace isosan
