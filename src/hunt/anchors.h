// Schedules that survive a recompilation: where a step ends, in terms of the source.
//
// Model: a step counts the operations of its thread, and another build has others. So a schedule that
// is saved says what stands around the end of each step: the operation that the thread is about to
// execute, and the one that it has executed last. Such an anchor is the function, the text of the
// line, the line within the function, the operation with its operand, and how many of its
// kind the thread has executed before. Plain accesses come second: compilers merge, drop and add them.
//
// To find the places again the steps are taken one after the other: the program runs along those that
// are found, and then the thread of the next one goes on by itself. Among its operations the anchor is
// looked for: the same text of the line; or the same line within the function; or the nearest line
// of the function with such an operation. What is found is exact to an operation, not a proof that it
// is the same place: whether the failure comes back is for the replay to say.
#pragma once

#include <string>
#include <vector>

#include "event/event.h"
#include "event/schedule.h"
#include "event/tables.h"
#include "hunt/execution.h"

namespace isosan {

// `events` are those of a run along the schedule. Completes the tables where places need it.
void add_anchors(Schedule& schedule, const std::vector<Event>& events, Tables& tables);

bool has_anchors(const Schedule& schedule);  // of every step

struct Relocated {
  Schedule
      schedule;      // of the program as it is now: steps as far as they are found, without anchors
  std::string gone;  // which place is not there any more; empty: all are
  bool instrumented = true;
};
Relocated relocated(const Harness& harness, const Schedule& schedule, int cpu);

// Schedules with one step a little shorter or longer, the nearest ones first.
std::vector<Schedule> neighbours(const Schedule& schedule);

}  // namespace isosan
