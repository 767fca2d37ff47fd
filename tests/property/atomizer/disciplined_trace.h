// Random traces that mostly keep a discipline, and other orders of the same trace.
//
// Model: variable x<i> belongs to lock l<i>. A trace is a list of intents, played against the state
// of locks, threads and semaphores; what cannot be is passed over, so that shrinking drops intents.
// Discipline: an access holds its lock (exclusively to write), and, if two_phase, no region
// acquires (joins, takes a semaphore) after it has released (forked, posted).
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <iosfwd>
#include <random>
#include <vector>

#include "oracle/trace_builder.h"

namespace isosan::test {

struct Discipline {
  bool two_phase = true;
  int bare_accesses_percent = 0;  // accesses that do not care about their lock
};

struct DisciplinedTrace {
  struct Step {
    std::uint8_t thread, what, object, chance;
  };
  Discipline discipline;
  std::vector<Step> steps;

  Trace trace() const;
};
std::ostream& operator<<(std::ostream& out, const DisciplinedTrace& random);  // as STD text

rc::Gen<DisciplinedTrace> disciplined_traces(Discipline discipline, int max_steps);

// Another order in which the same threads can do the same things: each keeps its own order, locks
// exclude, a child runs after its fork, a join after the child, a semaphore's wait after a post. It
// stops early where the threads would deadlock.
std::vector<Event> reordered(const std::vector<Event>& events, std::mt19937& random);

}  // namespace isosan::test
