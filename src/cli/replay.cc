// isosan replay: one schedule again, exactly. The program's input, output and errors are its own.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "base/user_error.h"
#include "cli/command.h"
#include "cli/exit_status.h"
#include "hunt/execution.h"
#include "hunt/observation.h"
#include "live/drain.h"
#include "trace/schedule_file.h"

namespace isosan {
namespace {

struct ReplayArguments {
  std::string file;
  std::vector<std::string> command;
  bool gdb = false;
  double timeout = 0;
  std::string expect_output;
  std::string fail_if;
};

// A schedule counts operations: in another binary they are others.
void refuse_other_binary(const Schedule& schedule, const ReplayArguments& arguments) {
  const std::string path = find_program(arguments.command[0]);
  if (path.empty()) throw UserError(fmt::format("cannot run '{}'", arguments.command[0]));
  if (schedule.build_ids.empty()) return;
  const std::string id = build_id_of(path);
  if (std::ranges::find(schedule.build_ids, id) != schedule.build_ids.end()) return;
  throw UserError(fmt::format(
      "{} was made for another build of the program: '{}' has changed since (build {}); hunt again",
      arguments.file, path, id));
}

// Stops at the cut-point; whoever attaches lets it go on.
void attach_debugger(pid_t pid) {
  fmt::print(stderr, "isosan replay: stopped at the cut-point, process {}: gdb -p {}\n", pid, pid);
  if (::isatty(0) != 1) return;
  const std::string line = fmt::format("gdb -p {} -ex 'info threads'", pid);
  if (std::system(line.c_str()) != 0) fmt::print(stderr, "isosan replay: gdb could not be run\n");
}

// drain() for a target that stops once.
class CutWatch {
 public:
  CutWatch(const SharedLog& log, Child& child) : log_(log), child_(child) {}
  void look() {
    if (told_ || run_state(log_) != log::RunState::kBehind) return;
    told_ = true;
    attach_debugger(child_.pid());
  }

 private:
  const SharedLog& log_;
  Child& child_;
  bool told_ = false;
};

std::optional<std::string> expected_output(const ReplayArguments& arguments) {
  if (arguments.expect_output.empty()) return std::nullopt;
  std::ifstream file(arguments.expect_output, std::ios::binary);
  if (!file) throw UserError(fmt::format("cannot read {}", arguments.expect_output));
  return std::string(std::istreambuf_iterator<char>(file), {});
}

int replay(ReplayArguments arguments) {
  if (arguments.command.front() == "--") arguments.command.erase(arguments.command.begin());
  if (arguments.command.empty()) throw UserError("which program? It comes after --");
  ScheduleRequest request;
  request.schedule = read_schedule(arguments.file);
  request.stop_at_cut = arguments.gdb;
  refuse_other_binary(request.schedule, arguments);
  const Harness harness{.command = arguments.command,
                        .milliseconds = static_cast<std::uint64_t>(arguments.timeout * 1000),
                        .expected_output = expected_output(arguments),
                        .fail_if = arguments.fail_if};
  SharedLog log({.mode = log::Mode::kFull, .schedule_bytes = schedule_bytes(request)});
  put_schedule(log, request);
  const bool judges_output = harness.expected_output || !harness.fail_if.empty();
  Captured output;
  Child child(arguments.command, {.log_fd = log.fd(),
                                  .fixed_addresses = true,
                                  .output_fd = judges_output ? output.fd() : -1,
                                  .milliseconds = harness.milliseconds,
                                  .environment = {}});
  CutWatch watch(log, child);
  drain(log, child, arguments.gdb ? std::function<void()>([&] { watch.look(); }) : nullptr);
  Execution execution{.status = *child.poll(), .schedule = schedule_outcome(log)};
  execution.timed_out = child.timed_out();
  execution.output = output.text();
  std::fwrite(execution.output.data(), 1, execution.output.size(), stdout);
  const auto failure = judge(harness, execution);
  if (!was_feasible(execution, failure)) {
    fmt::print(stderr, "isosan replay: the run left the schedule: {}\n", why_left(execution));
    return kExitLeftSchedule;
  }
  if (failure) {
    fmt::print(stderr, "isosan replay: the failure came back: {}\n", failure->text);
    return kExitFindings;
  }
  fmt::print(stderr, "isosan replay: passed\n");
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
  parser.add_option("--timeout", arguments->timeout, "A run longer than this hangs, in seconds")
      ->type_name("S")
      ->check(CLI::PositiveNumber.description(""));
  parser.add_option("--expect-output", arguments->expect_output, "Fails if its stdout is not this")
      ->type_name("FILE");
  parser
      .add_option("--fail-if", arguments->fail_if,
                  "Fails if this command, given its stdout, succeeds")
      ->type_name("COMMAND");
  return [arguments] { return replay(*arguments); };
}

}  // namespace isosan
