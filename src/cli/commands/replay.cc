// isosan replay: runs one schedule again, exactly. The program's output and errors are its own; its
// input is empty, as in the hunt, or the file that is our stdin.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
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
#include "hunt/anchors.h"
#include "hunt/execution.h"
#include "live/drain.h"
#include "trace/schedule_file.h"

namespace isosan {
namespace {

struct ReplayArguments {
  std::string file;
  std::vector<std::string> command;
  bool gdb = false, test = false;
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

class Replay {
 public:
  explicit Replay(const ReplayArguments& arguments)
      : arguments_(arguments),
        saved_(read_schedule(arguments.file)),
        harness_(arguments.harness.harness(arguments.command)) {}

  int run() {
    const std::string& program = arguments_.command[0];
    if (is_other_binary(saved_, program) && has_anchors(saved_)) return run_in_other_build();
    refuse_other_binary(saved_, arguments_.file, program);
    ScheduleRequest request = under(harness_, along(saved_));
    request.stop_at_cut = arguments_.gdb;
    const auto [execution, other_libraries] = execute_shown(request);
    return other_libraries ? run_in_other_build() : report(execution);
  }

 private:
  struct Shown {
    Execution execution;
    bool other_libraries = false;
  };

  static ScheduleRequest along(const Schedule& schedule) {
    ScheduleRequest request;
    request.schedule = schedule;
    return request;
  }

  // Output and errors are the program's own, unless its output is judged: then it is printed behind.
  Shown execute_shown(const ScheduleRequest& request) const {
    SharedLog log({.mode = log::Mode::kFull, .schedule_bytes = schedule_bytes(request)});
    put_schedule(log, request);
    const bool judges_output = harness_.expected_output || !harness_.fail_if.empty();
    Captured output;
    Child child(arguments_.command, {.log_fd = log.fd(),
                                     .fixed_addresses = true,
                                     .output_fd = judges_output ? output.fd() : -1,
                                     .no_input = true,
                                     .cpu = processor_for(0),
                                     .milliseconds = harness_.milliseconds,
                                     .environment = {}});
    CutWatch watch(log, child);
    drain(log, child, arguments_.gdb ? std::function<void()>([&] { watch.look(); }) : nullptr);
    Execution execution{.status = *child.poll(), .schedule = schedule_outcome(log)};
    execution.timed_out = child.timed_out();
    if (!request.schedule.build_ids.empty() && has_other_libraries(request.schedule, log)) {
      if (has_anchors(saved_)) return {std::move(execution), true};
      refuse_other_libraries(request.schedule, arguments_.file, log);
    }
    execution.output = output.text();
    std::fwrite(execution.output.data(), 1, execution.output.size(), stdout);
    if (std::string why = cannot_be_scheduled(execution); !why.empty()) throw UserError(why);
    if (std::string why = cannot_be_judged(harness_, execution); !why.empty()) throw UserError(why);
    return {std::move(execution)};
  }

  // The places are looked for, and where the failure does not come back at them, those near them.
  int run_in_other_build() const {
    const Relocated found = by_either_anchor();
    if (!found.gone.empty()) {
      fmt::print(
          stderr,
          "isosan replay: the program has changed since, and a place of the schedule is gone: "
          "{}; hunt again\n",
          shown(found.gone));
      return arguments_.test ? kExitSkipped : kExitLeftSchedule;
    }
    const Schedule schedule = failing_near(found.schedule);
    fmt::print(
        stderr,
        "isosan replay: the program has changed since; all places of the schedule were found "
        "again{}\n",
        schedule == found.schedule ? "" : ", and near them the failure");
    ScheduleRequest request = under(harness_, along(schedule));
    request.stop_at_cut = arguments_.gdb;
    return report(execute_shown(request).execution);
  }

  // By the better anchor of each step; where that leads nowhere, by the other one.
  Relocated by_either_anchor() const {
    Relocated first = relocated(harness_, saved_, processor_for(0));
    if (first.gone.empty() && fails_as_noted(first.schedule)) return first;
    Schedule turned = saved_;
    for (ScheduleStep& step : turned.steps) std::ranges::reverse(step.anchors);
    Relocated second = relocated(harness_, turned, processor_for(0));
    const bool better =
        second.gone.empty() && (!first.gone.empty() || fails_as_noted(second.schedule));
    return better ? second : first;
  }

  Schedule failing_near(const Schedule& schedule) const {
    if (fails_as_noted(schedule)) return schedule;
    for (const Schedule& other : neighbours(schedule)) {
      if (fails_as_noted(other)) return other;
    }
    return schedule;
  }

  bool fails_as_noted(const Schedule& schedule) const {
    const Execution execution = execute(harness_, along(schedule), processor_for(0));
    const auto failure = judge(harness_, execution);
    const std::string noted = noted_failure(saved_);
    return failure && (noted.empty() || noted == failure->text);
  }

  int report(const Execution& execution) const {
    const auto failure = judge(harness_, execution);
    if (!was_feasible(execution, failure)) {
      fmt::print(stderr, "isosan replay: the run left the schedule: {}\n", why_left(execution));
      return arguments_.test ? kExitClean : kExitLeftSchedule;
    }
    const std::string noted = shown(noted_failure(saved_));
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

  const ReplayArguments& arguments_;
  const Schedule saved_;
  const Harness harness_;
};

int replay(ReplayArguments arguments) {
  if (arguments.command.front() == "--") arguments.command.erase(arguments.command.begin());
  if (arguments.command.empty()) throw UserError("no program given: name it after --");
  return Replay(arguments).run();
}

}  // namespace

Action declare_replay(CLI::App& parser) {
  auto arguments = std::make_shared<ReplayArguments>();
  parser.add_option("SCHEDULE", arguments->file, "The schedule that 'isosan hunt' saved")
      ->required()
      ->type_name("");
  declare_program(parser, arguments->command);
  parser.add_flag("--gdb", arguments->gdb, "Stop at the cut-point and attach gdb");
  parser.add_flag(
      "--test", arguments->test,
      "As a test: 0 unless the failure comes back, 77 if the schedule's places are gone");
  arguments->harness.declare(parser);
  return [arguments] { return replay(*arguments); };
}

}  // namespace isosan
