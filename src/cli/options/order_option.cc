#include "cli/options/order_option.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/user_error.h"
#include "cli/options/number.h"
#include "cli/options/option_groups.h"
#include "hunt/execution.h"
#include "hunt/observation.h"
#include "trace/schedule_file.h"

namespace isosan {
namespace {

UserError other_build(const std::string& file, const std::string& path, const std::string& id) {
  return UserError(fmt::format(
      "{} was made for another build of the program: '{}' has changed since (build {}); hunt again",
      file, path, id));
}

bool is_of(const Schedule& schedule, const std::string& id) {
  return std::ranges::find(schedule.build_ids, id) != schedule.build_ids.end();
}

}  // namespace

void refuse_other_binary(const Schedule& schedule, const std::string& file,
                         const std::string& program) {
  const std::string path = find_program(program);
  if (path.empty()) throw UserError(fmt::format("cannot run '{}'", program));
  if (schedule.build_ids.empty()) return;
  const std::string id = build_id_of(path);
  if (id == kUnreadable) return;  // a script: what it runs is checked afterwards
  if (!is_of(schedule, id)) throw other_build(file, path, id);
}

void refuse_other_libraries(const Schedule& schedule, const std::string& file,
                            const SharedLog& log) {
  if (schedule.build_ids.empty()) return;
  for (std::uint32_t i = 0; i < log.modules_announced(); ++i) {
    const log::ModuleRecord module = log.module(i);
    if (module.instrumented == 0) continue;
    const std::string path(module.path, module.path_length);
    const std::string id = build_id_of(path);
    if (!is_of(schedule, id)) throw other_build(file, path, id);
  }
}

void OrderOption::declare(CLI::App& parser) {
  auto* schedule = parser.add_option(
      "--schedule", file_, "One thread at a time, as this schedule of 'isosan hunt' says");
  schedule->type_name("FILE");
  parser
      .add_option("--shuffle", shuffle_,
                  "One thread at a time, drawn anew at every operation; the same for the same seed")
      ->type_name("SEED")
      ->check(whole_number(0))
      ->excludes(schedule);
  const option_group::Scope more(parser, option_group::kMore);
  world_.declare(parser);
}

void OrderOption::read(const std::vector<std::string>& command) {
  request_.fixed = world_.fixed();
  if (request_.fixed != 0 && !given()) {
    throw UserError("--fix-time and --fix-random go with --schedule or --shuffle");
  }
  if (!file_.empty()) {
    request_.schedule = read_schedule(file_);
    refuse_other_binary(request_.schedule, file_, command[0]);
  }
  if (shuffle_) {
    request_.policy = log::Policy::kRandom;
    request_.seed = *shuffle_;
  }
}

SharedLogOptions OrderOption::of_log(SharedLogOptions asked) const {
  if (!given()) return asked;
  asked.mode = log::Mode::kFull;
  asked.schedule_bytes = schedule_bytes(request_);
  return asked;
}

ChildOptions OrderOption::of_child(ChildOptions asked) const {
  if (!given()) return asked;
  asked.fixed_addresses = true;
  asked.no_input = true;
  asked.cpu = processor_for(0);
  return asked;
}

void OrderOption::put(SharedLog& log) const {
  if (given()) put_schedule(log, request_);
}

bool OrderOption::cut_short(const SharedLog& log, const ExitStatus& status) const {
  if (!given()) return false;
  refuse_other_libraries(request_.schedule, file_, log);
  const Execution execution{.status = status, .schedule = schedule_outcome(log)};
  if (std::string why = cannot_be_scheduled(execution); !why.empty()) throw UserError(why);
  if (execution.schedule.state == log::RunState::kDeadlock) {
    fmt::print(stderr, "isosan: deadlock: threads wait for each other, the run ends there\n");
    return true;
  }
  if (file_.empty() || was_feasible(execution, judge({}, execution))) return false;
  fmt::print(stderr, "isosan: the run left the schedule: {}\n", why_left(execution));
  return true;
}

}  // namespace isosan
