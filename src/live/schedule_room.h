// The reader's side of the schedule in the shared mapping: written before the target starts, read
// back when it has ended (runtime/contract/schedule_area.h).
//
// What is read back was written by the target and is checked: at the first impossible thread or
// state, the rest is ignored.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "event/schedule.h"
#include "live/shared_log.h"
#include "live/stillness.h"
#include "runtime/contract/schedule_area.h"

namespace isosan {

// In all, of a run by a schedule.
inline constexpr std::uint32_t kMostThreads = 1u << 14;

// An object, and how many operations on it each thread is likely to execute (log::Policy::kSurw).
struct SelectedObject {
  std::uint64_t address = 0;  // of memory, or of a lock
  std::uint64_t size = 0;
  std::map<std::string, std::uint64_t> operations;  // by birth path
};

struct ScheduleRequest {
  Schedule schedule;       // only steps and first_after are used
  std::string last_after;  // kRunOn: birth path of a thread that runs when no other one can
  log::Policy policy = log::Policy::kRunOn;
  std::uint64_t seed = 0;
  std::uint32_t pct_depth = 3;
  std::uint64_t pct_length = 0;
  SelectedObject selected;
  std::uint64_t stop_after = log::kNoStop;  // steps; then it stops, for a debugger
  std::uint32_t fixed = 0;                  // of log::World
  bool keep_freed = false;
  bool check_invariants = false;
};

struct ThreadAtEnd {  // the state of a thread when the run ended
  std::string path;
  std::uint32_t thread = 0;  // ThreadId
  log::Waits waits{};
  std::uint64_t object = 0;
  std::uint64_t executed = 0;
  std::optional<std::uint32_t> blocker;  // the thread that it waits for, if that is one thread
};

// What the run was found to break.
struct BrokenAt {
  log::Broken what{};
  std::uint32_t thread = 0;   // ThreadId
  std::uint64_t address = 0;  // of what was used, or freed again
  std::uint64_t size = 0;
  std::string invariant;
};

struct ScheduleOutcome {
  log::RunState state{};
  log::LeftBecause why{};
  std::uint64_t steps_done = 0;
  std::vector<ScheduleStep> taken;  // one per change of thread: the executed run
  std::uint64_t changes = 0;        // more than taken.size(): the rest was not kept
  std::string ran_last;             // birth path
  std::vector<ThreadAtEnd> threads;
  std::uint32_t asked_world = 0;  // of log::World
  std::uint32_t invariants = 0;   // that the program declares
  BrokenAt broken;
};

// A run by a schedule goes round if it is still, and asks for nothing from outside, time included.
bool goes_round(const SharedLog& log, const Stillness& stillness);
// Are steps left? While a thread runs because a step says so, those that it waits for may not.
bool has_steps_left(const SharedLog& log);

std::uint64_t schedule_bytes(const ScheduleRequest& request);
void put_schedule(SharedLog& log, const ScheduleRequest& request);
ScheduleOutcome schedule_outcome(const SharedLog& log);
// The kernel's id of the thread that goes on next in a program that has stopped (stop_after); 0: it
// has not.
std::uint32_t stopped_thread(const SharedLog& log);

}  // namespace isosan
