// Small concurrent programs with values, and all their schedules (Figure 3 of the paper, with
// barriers, semaphores and atomics).
//
// Model: each thread has a list of operations and one register. A read mixes the value into the
// register, a write stores what depends on the register, so that a different order shows in the
// final state: memory and registers. `kSkip` passes over the next access if the register is odd:
// what a thread does may depend on what it read. Thread 0 runs from the start, the others once
// forked. Any list is a program: operations that cannot be (a release of a lock not held, a second
// fork of a thread, ...) are dropped by well_formed().
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "event/event.h"

namespace isosan::test {

enum class Act : std::uint8_t {
  kRead,
  kWrite,
  kAtomicRmw,
  kSkip,
  kAcquire,
  kRelease,
  kPost,
  kWait,
  kArrive,
  kDepart,
  kFork,
  kJoin,
  kBegin,
  kEnd,
};

struct Op {
  Act act{};
  int object = 0;  // variable, lock, semaphore, barrier, thread
  bool operator==(const Op&) const = default;
};

struct SmallProgram {
  std::vector<std::vector<Op>> threads;
  int barrier_parties = 2;
};
std::ostream& operator<<(std::ostream& out, const SmallProgram& program);

// Drops what cannot be; adds the releases, departures and ends that are missing.
SmallProgram well_formed(const SmallProgram& program);

struct ProgramState {
  std::vector<std::size_t> next;  // by thread; kNotStarted before its fork
  std::vector<std::uint32_t> registers, memory;
  std::vector<int> lock_holders;  // -1: free
  std::vector<int> posts;
  std::vector<int> arrived;                   // by barrier
  std::vector<std::vector<int>> waiting_for;  // by thread: generation it waits for, per barrier
  static constexpr std::size_t kNotStarted = ~std::size_t{0};

  auto operator<=>(const ProgramState&) const = default;
};

ProgramState initial_state(const SmallProgram& program);
bool is_final(const SmallProgram& program, const ProgramState& state);
bool is_enabled(const SmallProgram& program, const ProgramState& state, std::size_t thread);
// Performs the thread's next operation; its event, if any (kSkip has none), is appended.
void step(const SmallProgram& program, ProgramState& state, std::size_t thread,
          std::vector<Event>& events);

// The memory and registers that schedules end in. False: there are too many states to visit.
bool final_states(const SmallProgram& program, std::size_t most_states,
                  std::vector<ProgramState>& finals);

// Calls f for each complete schedule. False: there are more than `most`.
bool for_each_schedule(
    const SmallProgram& program, std::size_t most,
    const std::function<void(const std::vector<Event>&, const ProgramState&)>& f);

}  // namespace isosan::test
