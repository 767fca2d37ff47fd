// The trace that a program should give, and whether a recorded one is it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "differential/program.h"
#include "oracle/trace_builder.h"

namespace isosan::test {

// Which functions are regions. Blocks always are.
enum class Selection : std::uint8_t {
  kNamed,    // atomic_* and marked_*
  kMethods,  // all functions, but those that wait or notify themselves
};

struct IntendedTrace {
  Trace trace;                     // addresses are offsets in Objects
  std::vector<std::size_t> steps;  // by event
};
IntendedTrace intended_trace(const Program& program, Selection selection);

// One event of a recording, in the terms of the intended trace. Accesses know their step by their
// line.
struct RecordedEvent {
  Event event;
  std::size_t step = 0;  // accesses only
};

// What is wrong with the recording; empty: it is the intended trace up to accesses that repeat
// others.
//
// Law. Per thread: the recorded events are the intended ones in their order, nothing but accesses
// is missing. Across threads: events of which one depends on the other (semantics.md) stand in
// the intended order. A byte of an access may be missing only if the same thread is recorded with
// an access of the same sort (a write also stands for a read) to that byte before, no other
// thread's conflicting access to it lies between, and both are in one transaction or, outside
// regions, no dependence on something new leads into the thread between them (runtime.md, what
// is guaranteed, says what counts as new).
std::string difference(const IntendedTrace& intended, const std::vector<RecordedEvent>& recorded);

}  // namespace isosan::test
