// A schedule: which thread runs next, and how far.
//
// Model: every thread counts the operations it has executed (is_operation), from 0; the count
// depends on that thread only and means the same in every run (runtime.md, rule 13). In full
// mode every operation is an event of the trace, so the count of an operation is the number of
// operations of its thread before it in the trace. A step (T, n) lets only T run until it is about
// to execute its operation n; if an operation blocks, other threads run. After the last step
// `first_after` goes first and the run stays serialized.
//
// A thread can stop before each operation. It can also stop where it does something that is no
// operation: a lock that it tries and does not get, a sleep, a call that blocks. `beyond` counts
// these points after operation until - 1. It is 0 in a prediction; in a recorded schedule it makes
// the replay exact.
//
// kUnlocked in its place lets the thread go on until it holds no lock. For a step whose thread takes
// another way than the run that it was predicted from: it releases its locks after another number
// of operations.
//
// Threads are named by birth path (Thread::birth_path): the same name in every run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/kind.h"

namespace isosan {

inline constexpr std::uint32_t kUnlocked = 0xffffffff;

// An operation as the source has it, so that it can be found in another build (hunt/anchors.h).
struct Anchor {
  bool behind = false;           // the step ends behind this operation; otherwise right before it
  std::uint64_t occurrence = 1;  // in its thread, of the same operations at the same place
  std::string operation;         // name_of(Kind)
  std::string operand;           // "Account::balance_", a global; empty: not known
  std::string function;
  std::uint32_t line = 0;  // from the line on which the function is defined
  std::string source;      // the line, without comments; empty: not known

  bool operator==(const Anchor&) const = default;
};

struct ScheduleStep {
  std::string thread;        // birth path
  std::uint64_t until = 0;   // runs while it has executed fewer operations than this,
  std::uint32_t beyond = 0;  // and then passes so many points at which it could stop; or kUnlocked
  std::vector<Anchor> anchors = {};  // of its end; the better one first

  bool operator==(const ScheduleStep&) const = default;
};

struct Schedule {
  std::vector<std::string> build_ids;  // of the instrumented modules; a changed binary is refused
  std::vector<ScheduleStep> steps;
  std::string first_after;         // birth path; empty: the thread that ran last
  std::vector<std::string> notes;  // for readers: what it shows

  bool operator==(const Schedule&) const = default;
};

}  // namespace isosan
