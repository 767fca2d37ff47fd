// An execution with its events, for prediction or to show how a failure came about.
//
// The same program and the same scheduler; the log is linearized and staged into regions instead of
// dropped. tables() exists from the beginning and grows while events are read.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "event/event.h"
#include "event/tables.h"
#include "hunt/execution.h"
#include "live/live_source.h"
#include "spec/region_rules.h"
#include "spec/region_stage.h"

namespace isosan {

class Observation {
 public:
  // request null: the threads run freely, and their exact order is recorded. cpu: execution.h.
  Observation(const Harness& harness, const ScheduleRequest* request, const RegionRules& rules,
              int cpu);

  // Runs the program to its end.
  void run(const std::function<void(std::span<const Event>)>& consumer);

  Tables& tables() { return stage_.tables(); }
  const Execution& execution() const { return execution_; }
  std::vector<std::string> build_ids() const;  // of the instrumented modules

 private:
  const std::uint64_t most_still_;  // Harness::most_still
  Captured output_, errors_;
  SharedLog log_;
  Child child_;
  LiveSource live_;
  RegionStage stage_;
  Execution execution_;
};

// A run with all its events, for what looks at it as a whole.
struct RecordedRun {
  std::vector<Event> events;
  Tables tables;
  Execution execution;
  std::vector<std::string> modules;  // paths of the instrumented ones
};
RecordedRun record(const Harness& harness, const Schedule& schedule, int cpu);

// The order of the operations of a linear stream, as a schedule: for runs without one.
class OrderRecorder {
 public:
  void feed(std::span<const Event> batch);
  Schedule schedule(const Tables& tables) const;

 private:
  struct Stretch {
    ThreadId thread;
    std::uint64_t until;
  };
  std::vector<Stretch> stretches_;
  std::vector<std::uint64_t> executed_;  // by thread
};

// Identifies a program file: its build id, or a hash of its bytes where it has none.
std::string build_id_of(const std::string& path);
inline constexpr char kUnreadable[] = "unreadable";  // ... for what is no program file
// Where the shell would find it; empty: nowhere.
std::string find_program(const std::string& name);

}  // namespace isosan
