// Why the threads of a run did not go on: which of them wait for which, and what the others do that
// go round for ever.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "event/event.h"
#include "event/tables.h"
#include "live/schedule_room.h"

namespace isosan {

struct Deadlock {
  // A line for each thread: those that wait for each other, and the others.
  std::vector<std::string> cycle, waiting;
  std::vector<std::size_t> holds;  // in the order: acquires of locks that others wait for
};

// `order`: the operations as they ran, to the end.
Deadlock deadlock_of(const std::vector<Event>& order, const Tables& tables,
                     const std::vector<ThreadAtEnd>& threads);

// A line for each thread that still went on: what it does, again and again.
std::vector<std::string> rounds_of(const std::vector<Event>& order, const Tables& tables);

}  // namespace isosan
