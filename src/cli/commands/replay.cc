// isosan replay: runs one schedule again, exactly. The program's output and errors are its own; its
// input is empty, as in the hunt, or the file that is our stdin.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/shown.h"
#include "base/user_error.h"
#include "cli/commands/command.h"
#include "cli/options/harness_options.h"
#include "cli/options/order_option.h"
#include "cli/output/exit_status.h"
#include "hunt/execution.h"
#include "live/drain.h"
#include "trace/schedule_file.h"

namespace isosan {
namespace {

struct ReplayArguments {
  std::string file;
  std::vector<std::string> command;
  bool gdb = false;
  HarnessOptions harness;
};

// The program has stopped at the cut-point; the debugger that attaches resumes it.
void attach_debugger(pid_t pid) {
  const bool terminal = ::isatty(0) == 1;
  fmt::print(stderr, "isosan replay: stopped at the cut-point, process {}: gdb -p {}{}\n", pid, pid,
             terminal ? "" : fmt::format("; it goes on after kill -CONT {}", pid));
  if (!terminal) return;
  const std::string line = fmt::format("gdb -q -p {} -ex 'info threads'", pid);
  if (std::system(line.c_str()) != 0) fmt::print(stderr, "isosan replay: gdb could not be run\n");
  ::kill(pid, SIGCONT);  // gdb leaves it stopped
}

// drain() for a target that stops once.
class CutWatch {
 public:
  CutWatch(const SharedLog& log, Child& child) : log_(log), child_(child) {}
  void look() {
    if (reported_ || run_state(log_) != log::RunState::kBehind) return;
    reported_ = true;
    attach_debugger(child_.pid());
  }

 private:
  const SharedLog& log_;
  Child& child_;
  bool reported_ = false;
};

int replay(ReplayArguments arguments) {
  if (arguments.command.front() == "--") arguments.command.erase(arguments.command.begin());
  if (arguments.command.empty()) throw UserError("no program given: name it after --");
  ScheduleRequest request;
  request.schedule = read_schedule(arguments.file);
  request.stop_at_cut = arguments.gdb;
  refuse_other_binary(request.schedule, arguments.file, arguments.command[0]);
  const Harness harness = arguments.harness.harness(arguments.command);
  request = with_fixed_inputs(harness, request);
  SharedLog log({.mode = log::Mode::kFull, .schedule_bytes = schedule_bytes(request)});
  put_schedule(log, request);
  const bool judges_output = harness.expected_output || !harness.fail_if.empty();
  Captured output;
  Child child(arguments.command, {.log_fd = log.fd(),
                                  .fixed_addresses = true,
                                  .output_fd = judges_output ? output.fd() : -1,
                                  .no_input = true,
                                  .cpu = processor_for(0),
                                  .milliseconds = harness.milliseconds,
                                  .environment = {}});
  CutWatch watch(log, child);
  drain(log, child, arguments.gdb ? std::function<void()>([&] { watch.look(); }) : nullptr);
  Execution execution{.status = *child.poll(), .schedule = schedule_outcome(log)};
  execution.timed_out = child.timed_out();
  refuse_other_libraries(request.schedule, arguments.file, log);
  execution.output = output.text();
  std::fwrite(execution.output.data(), 1, execution.output.size(), stdout);
  if (std::string why = cannot_be_scheduled(execution); !why.empty()) throw UserError(why);
  const auto failure = judge(harness, execution);
  if (!was_feasible(execution, failure)) {
    fmt::print(stderr, "isosan replay: the run left the schedule: {}\n", why_left(execution));
    return kExitLeftSchedule;
  }
  const std::string noted = shown(noted_failure(request.schedule));
  if (failure) {
    const bool other = !noted.empty() && noted != shown(failure->text);
    fmt::print(stderr, "isosan replay: {}: {}{}\n",
               other ? "another failure" : "the failure came back", shown(failure->text),
               other ? fmt::format(" (the schedule was saved for: {})", noted) : "");
    return kExitFindings;
  }
  fmt::print(stderr, "isosan replay: passed{}\n",
             noted.empty() ? "" : fmt::format(" (the schedule was saved for: {})", noted));
  return kExitClean;
}

}  // namespace

Action declare_replay(CLI::App& parser) {
  auto arguments = std::make_shared<ReplayArguments>();
  parser.add_option("SCHEDULE", arguments->file, "The schedule that 'isosan hunt' saved")
      ->required()
      ->type_name("");
  declare_program(parser, arguments->command);
  parser.add_flag("--gdb", arguments->gdb, "Stop at the cut-point and attach gdb");
  arguments->harness.declare(parser);
  return [arguments] { return replay(*arguments); };
}

}  // namespace isosan
