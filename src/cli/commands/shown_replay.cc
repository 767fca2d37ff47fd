#include "cli/commands/shown_replay.h"

#include <fmt/format.h>

#include <cstdio>
#include <functional>

#include "base/shown.h"
#include "base/user_error.h"
#include "cli/commands/debugger.h"
#include "cli/commands/replay_walk.h"
#include "cli/options/order_option.h"
#include "cli/output/exit_status.h"
#include "hunt/anchors.h"
#include "hunt/story.h"
#include "live/drain.h"

namespace isosan {
namespace {

ScheduleRequest along(const Schedule& schedule) {
  ScheduleRequest request;
  request.schedule = schedule;
  return request;
}

}  // namespace

std::optional<int> ShownReplay::run(const Schedule& schedule) const {
  if (!arguments_.gdb && !arguments_.step) return run_along(along(schedule), {});
  RecordedRun run = record(harness_, schedule, processor_for(0));
  if (is_of_other_libraries(schedule, run.modules)) return std::nullopt;
  refuse_hopeless(run.execution);
  if (arguments_.gdb) return debug_intruder(run, schedule);
  const Execution execution = run.execution;
  walk_switches(run, [&](std::uint64_t number) {
    debug(stop_at_switch(execution, number), fmt::format("at change {}", number));
  });
  std::fwrite(execution.output.data(), 1, execution.output.size(), stdout);
  std::fflush(stdout);
  std::fwrite(execution.errors.data(), 1, execution.errors.size(), stderr);
  return report(execution);
}

std::optional<int> ShownReplay::debug(const Stop& stop, const std::string& where) const {
  ScheduleRequest request = along(stop.schedule);
  request.stop_after = stop.steps;
  return run_along(request, where);
}

// Where the intruding access is not known, it stops where the steps end.
std::optional<int> ShownReplay::debug_intruder(const RecordedRun& run,
                                               const Schedule& schedule) const {
  std::optional<Intruder> intruder = noted_intruder(schedule);
  if (!intruder && judge(harness_, run.execution)) {
    const Story story = make_story(run.events, run.tables, run.execution, nullptr, 0);
    intruder = intruder_of(story, run.tables);
  }
  std::optional<Stop> stop;
  if (intruder) stop = stop_before(run.execution, intruder->thread, intruder->until);
  if (stop) return debug(*stop, "before the intruding access");
  return debug({schedule, schedule.steps.size()}, "where the steps end");
}

bool ShownReplay::is_of_other_libraries(const Schedule& schedule,
                                        const std::vector<std::string>& modules) const {
  if (schedule.build_ids.empty() || !has_other_libraries(schedule, modules)) return false;
  if (!has_anchors(saved_)) refuse_other_libraries(schedule, arguments_.file, modules);
  return true;
}

void ShownReplay::refuse_hopeless(const Execution& execution) const {
  if (std::string why = cannot_be_scheduled(execution); !why.empty()) throw UserError(why);
  if (std::string why = cannot_be_judged(harness_, execution); !why.empty()) throw UserError(why);
}

// Output and errors are the program's own, unless its output is judged: then it is printed behind.
// A program that stops for a debugger may take its time.
std::optional<int> ShownReplay::run_along(const ScheduleRequest& wanted,
                                          const std::string& stops) const {
  const ScheduleRequest request = under(harness_, wanted);
  SharedLog log({.mode = log::Mode::kFull, .schedule_bytes = schedule_bytes(request)});
  put_schedule(log, request);
  const bool judges_output =
      harness_.expected_output || !harness_.fail_if.empty() || harness_.serial_lines;
  Captured output;
  Child child(arguments_.command, {.log_fd = log.fd(),
                                   .fixed_addresses = true,
                                   .output_fd = judges_output ? output.fd() : -1,
                                   .no_input = true,
                                   .cpu = processor_for(0),
                                   .milliseconds = stops.empty() ? harness_.milliseconds : 0,
                                   .environment = {}});
  StopWatch watch(log, child, stops);
  DrainOptions wanted_of_drain;
  if (stops.empty()) {
    wanted_of_drain.most_still = harness_.most_still;
  } else {
    wanted_of_drain.each_look = [&] { watch.look(); };
  }
  const Drained drained = drain(log, child, wanted_of_drain);
  Execution execution{.status = *child.poll(), .schedule = schedule_outcome(log)};
  execution.was_still = drained.was_still;
  execution.timed_out = child.timed_out();
  if (is_of_other_libraries(request.schedule, instrumented_modules(log))) return std::nullopt;
  execution.output = output.text();
  std::fwrite(execution.output.data(), 1, execution.output.size(), stdout);
  refuse_hopeless(execution);
  return report(execution);
}

int ShownReplay::report(const Execution& execution) const {
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

}  // namespace isosan
