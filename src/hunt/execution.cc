#include "hunt/execution.h"

#include <fmt/format.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <system_error>

#include "base/user_error.h"
#include "hunt/serial.h"

namespace isosan {
namespace {

constexpr std::size_t kMostOutput = 16u << 20;  // bytes kept of a program's output

SharedLogOptions log_options(std::uint64_t schedule_bytes) {
  return {.mode = log::Mode::kFull, .schedule_bytes = schedule_bytes};
}

// Does the shell command, with `input` as its stdin, succeed? A file, not a pipe: it need not read
// everything.
bool succeeds_on(const std::string& command, const std::string& input) {
  const Captured file;
  if (::pwrite(file.fd(), input.data(), input.size(), 0) < 0) {
    throw std::system_error(errno, std::generic_category(), "the input of " + command);
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, file.fd(), 0);
  const char* const words[] = {"sh", "-c", command.c_str(), nullptr};
  pid_t shell = 0;
  const int error =
      ::posix_spawn(&shell, "/bin/sh", &actions, nullptr, const_cast<char* const*>(words), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::system_error(error, std::generic_category(), "sh");
  int status = 0;
  while (::waitpid(shell, &status, 0) < 0 && errno == EINTR) {
  }
  // The shell's statuses for a command that cannot be run, and for one that does not exist.
  if (WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127)) {
    throw UserError(fmt::format("'{}' cannot be run by sh", command));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string signal_text(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal)
                         : fmt::format("signal {} (SIG{})", signal, name);
}

}  // namespace

int processor_for(unsigned job) {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return -1;
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &allowed)) cpus.push_back(cpu);
  }
  // Other hunts may share the machine. The system has begun this one where there was time.
  static const int began = ::sched_getcpu();
  std::ranges::rotate(cpus, std::ranges::lower_bound(cpus, began));
  return cpus[job % cpus.size()];
}

Captured::Captured() : fd_(::memfd_create("isosan-output", MFD_CLOEXEC)) {
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
}
Captured::~Captured() { ::close(fd_); }

std::string Captured::text() const {
  const off_t size = ::lseek(fd_, 0, SEEK_END);
  std::string text(std::min(static_cast<std::size_t>(std::max<off_t>(size, 0)), kMostOutput), '\0');
  const ssize_t n = ::pread(fd_, text.data(), text.size(), 0);
  text.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
  return text;
}

std::uint64_t Execution::operations() const {
  std::uint64_t sum = 0;
  for (const auto& [path, digest] : digests) sum += digest.operations;
  return sum;
}

ScheduleRequest under(const Harness& harness, ScheduleRequest request) {
  request.fixed = harness.fixed;
  request.keep_freed = !harness.reuse_freed;
  request.check_invariants = true;
  return request;
}

namespace {

// How long a run may take: until it counts as a hang, or until the deadline.
std::uint64_t time_for(const Harness& harness) {
  using std::chrono::milliseconds;
  if (harness.deadline == std::chrono::steady_clock::time_point::max()) return harness.milliseconds;
  const auto left =
      std::chrono::duration_cast<milliseconds>(harness.deadline - std::chrono::steady_clock::now());
  const auto most = static_cast<std::uint64_t>(std::max(left, milliseconds(1)).count());
  return harness.milliseconds == 0 ? most : std::min(harness.milliseconds, most);
}

}  // namespace

ChildOptions child_options(const Harness& harness, const SharedLog& log, const Captured& output,
                           const Captured& errors, int cpu) {
  return {.log_fd = log.fd(),
          .fixed_addresses = true,
          .output_fd = output.fd(),
          .error_fd = errors.fd(),
          .no_input = true,
          .own_group = true,
          .cpu = cpu,
          .milliseconds = time_for(harness),
          .environment = {}};
}

void complete(Execution& execution, const SharedLog& log, const Child& child,
              const Captured& output, const Captured& errors) {
  execution.timed_out = child.timed_out();
  execution.deadlocked = child.deadlocked();
  execution.output = output.text();
  execution.errors = errors.text();
  execution.attached = log.header().attached.load() != 0;
  execution.accesses = log.header().accesses_seen.load();
  if (log.layout().schedule_offset != 0) execution.schedule = schedule_outcome(log);
}

Execution execute(const Harness& harness, const ScheduleRequest& request, int cpu) {
  SharedLog log(log_options(schedule_bytes(request)));
  put_schedule(log, under(harness, request));
  Captured output, errors;
  Child child(harness.command, child_options(harness, log, output, errors, cpu));
  const Drained drained = drain(log, child, {.each_look = {}, .most_still = harness.most_still});
  const auto& digests = drained.digests;
  Execution execution{.status = *child.poll(), .schedule = {}};
  execution.was_still = drained.was_still;
  complete(execution, log, child, output, errors);
  for (const ThreadAtEnd& thread : execution.schedule.threads) {
    const auto found = digests.find(thread.thread);
    if (found != digests.end()) execution.digests[thread.path] = found->second;
  }
  return execution;
}

Execution execute_freely(const Harness& harness) {
  SharedLog log({.mode = log::Mode::kUnlogged});
  Captured output, errors;
  ChildOptions options = child_options(harness, log, output, errors, -1);
  options.ends_deadlocks = true;
  Child child(harness.command, options);
  drain(log, child);
  Execution execution{.status = *child.poll(), .schedule = {}};
  complete(execution, log, child, output, errors);
  return execution;
}

bool was_cut(const Harness& harness, const Execution& execution) {
  return execution.timed_out && std::chrono::steady_clock::now() >= harness.deadline;
}

namespace {

std::optional<Failure> broken(const BrokenAt& at) {
  switch (at.what) {
    case log::Broken::kNothing:
      return std::nullopt;
    case log::Broken::kUseAfterFree:
      return Failure{FailureKind::kHeap, 1, "use after free"};
    case log::Broken::kDoubleFree:
      return Failure{FailureKind::kHeap, 2, "double free"};
    case log::Broken::kInvariant:
      return Failure{FailureKind::kInvariant, 0,
                     fmt::format("the invariant '{}' does not hold", at.invariant)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Failure> judge(const Harness& harness, const Execution& execution) {
  const auto failed = [](FailureKind kind, int code, std::string text) {
    return Failure{kind, code, std::move(text)};
  };
  // Whatever it has led to since then.
  if (auto failure = broken(execution.schedule.broken)) return failure;
  if (execution.schedule.state == log::RunState::kLeft) return std::nullopt;
  if (execution.deadlocked || execution.schedule.state == log::RunState::kDeadlock) {
    return failed(FailureKind::kDeadlock, 0, "deadlock");
  }
  if (execution.was_still) {
    return failed(FailureKind::kLivelock, 0, "livelock: its threads go on, and nothing changes");
  }
  if (was_cut(harness, execution)) return std::nullopt;
  // A step waits for a thread that waits for the outside, or for a thread that may not run yet.
  if (execution.timed_out && execution.schedule.why == log::LeftBecause::kOutside) {
    return std::nullopt;
  }
  if (execution.timed_out) {
    return failed(FailureKind::kHang, 0, fmt::format("no end within {} ms", harness.milliseconds));
  }
  if (const int signal = execution.status.signal; signal != 0) {
    return failed(FailureKind::kSignal, signal, signal_text(signal));
  }
  if (const int code = execution.status.code; code != 0) {
    return failed(FailureKind::kExit, code, fmt::format("exit status {}", code));
  }
  if (harness.expected_output && execution.output != *harness.expected_output) {
    return failed(FailureKind::kOutput, 0, "the output is not the expected one");
  }
  if (!harness.fail_if.empty() && succeeds_on(harness.fail_if, execution.output)) {
    return failed(FailureKind::kCommand, 0, fmt::format("'{}' says so", harness.fail_if));
  }
  if (harness.serial_lines && sorted_lines(execution.output) != *harness.serial_lines) {
    return failed(FailureKind::kSerial, 0, "its output is not that of serial runs");
  }
  return std::nullopt;
}

std::string noted_failure(const Schedule& schedule) {
  for (const std::string& note : schedule.notes) {
    if (note.starts_with(kFailureNote)) return note.substr(kFailureNote.size());
  }
  return "";
}

std::uint64_t noted_still(const Schedule& schedule) {
  for (const std::string& note : schedule.notes) {
    if (!note.starts_with(kStillNote)) continue;
    std::uint64_t operations = Stillness::kNever;
    std::istringstream(note.substr(kStillNote.size())) >> operations;
    return operations;
  }
  return Stillness::kNever;
}

std::string as_note(const Intruder& intruder) {
  return fmt::format("{}{} before {}", kIntruderNote, intruder.thread, intruder.until);
}

std::optional<Intruder> noted_intruder(const Schedule& schedule) {
  for (const std::string& note : schedule.notes) {
    if (!note.starts_with(kIntruderNote)) continue;
    std::istringstream words(note.substr(kIntruderNote.size()));
    Intruder intruder;
    std::string before;
    if (words >> intruder.thread >> before >> intruder.until) return intruder;
  }
  return std::nullopt;
}

bool was_feasible(const Execution& execution, const std::optional<Failure>& failure) {
  switch (execution.schedule.state) {
    case log::RunState::kLeft:
      return failure.has_value();
    case log::RunState::kFollowing:
      return failure.has_value();  // it failed on the way, or ended too early
    case log::RunState::kBehind:
    case log::RunState::kDeadlock:
      return true;
  }
  return false;
}

std::string why_left(const Execution& execution) {
  const ScheduleOutcome& outcome = execution.schedule;
  const auto at = fmt::format("step {}", outcome.steps_done + 1);
  switch (outcome.why) {
    case log::LeftBecause::kNothing:
      return outcome.state == log::RunState::kFollowing ? "the program ended before " + at
                                                        : std::string();
    case log::LeftBecause::kNotBorn:
      return at + ": its thread does not exist yet";
    case log::LeftBecause::kEnded:
      return at + ": its thread has ended before it got so far";
    case log::LeftBecause::kBlocked:
      return at + ": its thread waits for another one";
    case log::LeftBecause::kOutside:
      return at + ": its thread waits for a descriptor, a process or a signal";
    case log::LeftBecause::kOpenMp:
    case log::LeftBecause::kUnseen:
    case log::LeftBecause::kTooMany:
      return cannot_be_scheduled(execution);
  }
  return {};
}

std::string cannot_be_scheduled(const Execution& execution) {
  if (execution.schedule.why == log::LeftBecause::kOpenMp) {
    return "the program uses OpenMP, whose threads cannot be scheduled one at a time";
  }
  if (execution.schedule.why == log::LeftBecause::kUnseen) {
    return "a thread was started that IsoSan does not see: link the program itself, not only a "
           "library of it, with 'isosan cc' or 'isosan c++'";
  }
  if (execution.schedule.why == log::LeftBecause::kTooMany) {
    return fmt::format(
        "the program starts more than {} threads, and a schedule has no room for more",
        kMostThreads);
  }
  return {};
}

std::string cannot_be_judged(const Harness& harness, const Execution& execution) {
  if (!harness.expect_invariant || execution.schedule.invariants > 0) return {};
  return fmt::format("'{}' declares no ISOSAN_INVARIANT (--expect-invariant)", harness.command[0]);
}

Schedule schedule_of(const Execution& execution) {
  Schedule schedule;
  schedule.steps = execution.schedule.taken;
  schedule.first_after = execution.schedule.ran_last;
  return schedule;
}

}  // namespace isosan
