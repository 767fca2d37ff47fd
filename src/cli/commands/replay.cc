// isosan replay: runs one schedule again, exactly. The program's output and errors are its own; its
// input is empty, as in the hunt, or the file that is our stdin.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/shown.h"
#include "base/user_error.h"
#include "cli/commands/command.h"
#include "cli/commands/shown_replay.h"
#include "cli/options/order_option.h"
#include "cli/output/exit_status.h"
#include "hunt/anchors.h"
#include "hunt/execution.h"
#include "hunt/serial.h"
#include "trace/schedule_file.h"

namespace isosan {
namespace {

Harness with_serial_output(Harness harness) {
  const std::string why = take_serial_output(harness, processor_for(0));
  if (!why.empty()) throw UserError(why);
  return harness;
}

class Replay {
 public:
  explicit Replay(const ReplayArguments& arguments)
      : arguments_(arguments),
        saved_(read_schedule(arguments.file)),
        harness_(with_serial_output(as_noted(arguments.harness.harness(arguments.command)))),
        shown_(arguments, saved_, harness_) {}

  int run() {
    const std::string& program = arguments_.command[0];
    if (is_other_binary(saved_, program) && has_anchors(saved_)) return run_in_other_build();
    refuse_other_binary(saved_, arguments_.file, program);
    const auto status = shown_.run(saved_);
    return status ? *status : run_in_other_build();
  }

 private:
  Harness as_noted(Harness harness) const {
    harness.most_still = noted_still(saved_);
    return harness;
  }
  static ScheduleRequest along(const Schedule& schedule) {
    ScheduleRequest request;
    request.schedule = schedule;
    return request;
  }

  // The places are looked for, and where the failure does not come back at them, those near them.
  int run_in_other_build() const {
    const Relocated found = by_either_anchor();
    if (!found.instrumented) {
      throw UserError(fmt::format(
          "nothing of '{}' was instrumented, and the schedule is of a program that was: "
          "build it with 'isosan cc' or 'isosan c++'",
          arguments_.command[0]));
    }
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
    return *shown_.run(schedule);
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

  const ReplayArguments& arguments_;
  const Schedule saved_;
  const Harness harness_;
  const ShownReplay shown_;
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
  auto* gdb = parser.add_flag("--gdb", arguments->gdb,
                              "Stop before the intruding access and attach gdb there");
  parser
      .add_flag("--step", arguments->step,
                "Show each change of thread: who stops where, who goes on where")
      ->excludes(gdb);
  parser.add_flag(
      "--test", arguments->test,
      "As a test: 0 unless the failure comes back, 77 if the schedule's places are gone");
  arguments->harness.declare(parser);
  return [arguments] { return replay(*arguments); };
}

}  // namespace isosan
