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

std::string path_of(const std::string& program) {
  const std::string path = find_program(program);
  if (path.empty()) throw UserError(fmt::format("cannot run '{}'", program));
  return path;
}

bool is_of(const Schedule& schedule, const std::string& id) {
  return std::ranges::find(schedule.build_ids, id) != schedule.build_ids.end();
}

// The first instrumented module that the schedule is not for; empty: none.
std::string other_module(const Schedule& schedule, const std::vector<std::string>& modules) {
  if (schedule.build_ids.empty()) return {};
  const auto other = std::ranges::find_if(
      modules, [&](const std::string& path) { return !is_of(schedule, build_id_of(path)); });
  return other == modules.end() ? "" : *other;
}

}  // namespace

bool is_other_binary(const Schedule& schedule, const std::string& program) {
  const std::string id = build_id_of(path_of(program));
  if (schedule.build_ids.empty()) return false;
  return id != kUnreadable && !is_of(schedule, id);  // of a script: what it runs is checked later
}

std::vector<std::string> instrumented_modules(const SharedLog& log) {
  std::vector<std::string> paths;
  for (std::uint32_t i = 0; i < log.modules_announced(); ++i) {
    const log::ModuleRecord module = log.module(i);
    if (module.instrumented != 0) paths.emplace_back(module.path, module.path_length);
  }
  return paths;
}

bool has_other_libraries(const Schedule& schedule, const std::vector<std::string>& modules) {
  return !other_module(schedule, modules).empty();
}

void refuse_other_binary(const Schedule& schedule, const std::string& file,
                         const std::string& program) {
  const std::string path = path_of(program);
  if (is_other_binary(schedule, program)) throw other_build(file, path, build_id_of(path));
}

void refuse_other_libraries(const Schedule& schedule, const std::string& file,
                            const std::vector<std::string>& modules) {
  const std::string path = other_module(schedule, modules);
  if (!path.empty()) throw other_build(file, path, build_id_of(path));
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
  refuse_other_libraries(request_.schedule, file_, instrumented_modules(log));
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
