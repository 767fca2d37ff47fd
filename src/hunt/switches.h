// A run as its changes of thread: which thread stops where, and which one goes on where.
//
// Model: the events of each thread in its order, cut where the executed schedule changes the thread.
// A thread stops before an operation; what it has not executed in the whole run is not known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "event/event.h"
#include "event/tables.h"
#include "hunt/execution.h"

namespace isosan {

struct Switch {
  ThreadId from{}, to{};
  std::uint64_t executed = 0;    // operations of `from`, from its beginning
  std::optional<Event> last;     // the last one of them
  std::optional<Event> stops;    // the one before which it stops; empty: it goes no further
  bool ends = false;             // and has ended, too
  std::uint64_t begins = 0;      // operations that `to` has executed before
  std::uint64_t runs = 0;        // and that it executes until the next change
  std::optional<Event> goes_on;  // the first of these
};

// `execution` is of the run that the events are of.
std::vector<Switch> switches_of(const std::vector<Event>& events, const Tables& tables,
                                const Execution& execution);

// The run up to change `number`, from 1, or beyond the last one: the executed schedule, and how many of its steps.
struct Stop {
  Schedule schedule;
  std::uint64_t steps = 0;
};
Stop stop_at_switch(const Execution& execution, std::uint64_t number);
// Up to an operation of a thread, `until` of whose operations come before it. Empty: it was not executed.
std::optional<Stop> stop_before(const Execution& execution, const std::string& thread,
                                std::uint64_t until);

}  // namespace isosan
