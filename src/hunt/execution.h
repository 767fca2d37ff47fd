// One execution of the program along a schedule, and what a test harness says of it.
//
// Model (Penelope, section 2): the program with its input is the test; its exit status, a signal, a
// deadlock, a hang, its output or a command's opinion of that output is the verdict. The execution
// is serialized inside the target (runtime/schedule); this process only drains its log.
// Every failure reported here has happened.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "live/child.h"
#include "live/drain.h"
#include "live/schedule_room.h"

namespace isosan {

struct Harness {
  std::vector<std::string> command;
  std::uint64_t milliseconds = 10000;            // longer is a hang
  std::uint64_t most_still = Stillness::kNever;  // operations that change nothing; more: a livelock
  std::optional<std::string> expected_output;
  std::string fail_if;       // a shell command that gets the output and succeeds if it is wrong
  std::uint32_t fixed = 0;   // of log::World: the same in every scheduled run
  bool reuse_freed = false;  // freed memory may be used again: its uses are not looked for
  bool expect_invariant = false;  // the program must declare one
  bool serial_output = false;     // its output is compared with that of serial runs (serial.h)
  std::optional<std::vector<std::string>> serial_lines;  // which was this, sorted
  // A run that has not ended by then is killed and not judged.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

struct Execution {
  ExitStatus status;
  bool timed_out = false;
  bool deadlocked = false;  // a run without a schedule; of others the schedule says so
  bool was_still = false;   // and was ended (Harness::most_still)
  std::string output, errors;
  ScheduleOutcome schedule;
  std::map<std::string, OperationDigest> digests;  // by birth path
  bool attached = false;                           // linked with the runtime
  std::uint64_t accesses = 0;

  std::uint64_t operations() const;
};

// A processor that this process may use, a different one for each job if there are enough. Threads
// that run in turn switch three times as fast on one processor as across two.
int processor_for(unsigned job);

// cpu: the processor that the program may use; -1: any.
Execution execute(const Harness& harness, const ScheduleRequest& request, int cpu = -1);
// The program without a schedule; nothing is recorded.
Execution execute_freely(const Harness& harness);

enum class FailureKind {
  kExit,
  kSignal,
  kDeadlock,
  kHang,
  kLivelock,
  kOutput,
  kCommand,
  kHeap,
  kInvariant,
  kSerial
};

struct Failure {
  FailureKind kind{};
  int code = 0;
  std::string text;  // "signal 6 (SIGABRT)"

  bool same_as(const Failure& other) const {
    return kind == other.kind && code == other.code &&
           (kind != FailureKind::kInvariant || text == other.text);
  }
};
// A schedule is saved with a note of the failure that it is for.
inline constexpr std::string_view kFailureNote = "failure ";
std::string noted_failure(const Schedule& schedule);  // its text; empty: none

// ... with one of Harness::most_still, if that was a livelock.
inline constexpr std::string_view kStillNote = "still ";
std::uint64_t noted_still(const Schedule& schedule);

// ... and one of the intruding access (story.h), if it has one.
inline constexpr std::string_view kIntruderNote = "intruder ";
struct Intruder {
  std::string thread;       // birth path
  std::uint64_t until = 0;  // operations of that thread before it
};
std::string as_note(const Intruder& intruder);
std::optional<Intruder> noted_intruder(const Schedule& schedule);

// Was it killed at the deadline?
bool was_cut(const Harness& harness, const Execution& execution);
std::optional<Failure> judge(const Harness& harness, const Execution& execution);

// Did the program follow the whole schedule?
bool was_feasible(const Execution& execution, const std::optional<Failure>& failure);
std::string why_left(const Execution& execution);
// Why no schedule can be forced on the program; empty: one can.
std::string cannot_be_scheduled(const Execution& execution);

// Why its failures would not be seen; empty: they are.
std::string cannot_be_judged(const Harness& harness, const Execution& execution);

// The executed run as a schedule: every change of thread.
Schedule schedule_of(const Execution& execution);

// A memory file that captures the output of a program.
class Captured {
 public:
  Captured();  // throws std::system_error
  ~Captured();
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  int fd() const { return fd_; }
  std::string text() const;

 private:
  int fd_;
};

// With the inputs that the harness fixes, and what it has looked for.
ScheduleRequest under(const Harness& harness, ScheduleRequest request);
ChildOptions child_options(const Harness& harness, const SharedLog& log, const Captured& output,
                           const Captured& errors, int cpu);
void complete(Execution& execution, const SharedLog& log, const Child& child,
              const Captured& output, const Captured& errors);

}  // namespace isosan
