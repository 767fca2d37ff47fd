#include "hunt/observation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "base/input_error.h"
#include "symbolize/elf_file.h"

namespace isosan {
namespace {

SharedLogOptions log_options(const ScheduleRequest* request) {
  return {.mode = log::Mode::kFull,
          .strict = request == nullptr,
          .schedule_bytes = request == nullptr ? 0 : schedule_bytes(*request)};
}

SharedLog& with_schedule(SharedLog& log, const Harness& harness, const ScheduleRequest* request) {
  if (request != nullptr) put_schedule(log, under(harness, *request));
  return log;
}

// A run along a schedule sees its deadlocks itself.
ChildOptions with_deadlocks_ended(ChildOptions options, const ScheduleRequest* request) {
  options.ends_deadlocks = request == nullptr;
  return options;
}

}  // namespace

Observation::Observation(const Harness& harness, const ScheduleRequest* request,
                         const RegionRules& rules, int cpu)
    : most_still_(request == nullptr ? Stillness::kNever : harness.most_still),
      log_(log_options(request)),
      child_(harness.command,
             with_deadlocks_ended(child_options(harness, with_schedule(log_, harness, request),
                                                output_, errors_, cpu),
                                  request)),
      live_(log_, child_, {.rules = &rules}),
      stage_(live_, rules) {}

void Observation::run(const std::function<void(std::span<const Event>)>& consumer) {
  std::vector<std::uint64_t> operations;
  Stillness stillness(most_still_);
  const auto by_steps = [&] { return stillness.is_wanted() && has_steps_left(log_); };
  bool had_steps = by_steps();
  for (auto batch = stage_.next(); !batch.empty(); batch = stage_.next()) {
    for (const Event& event : batch) {
      if (stillness.is_wanted()) stillness.take(event.kind, event.detail, event.address);
      if (!is_operation(event.kind)) continue;
      if (index(event.thread) >= operations.size()) operations.resize(index(event.thread) + 1);
      ++operations[index(event.thread)];
    }
    consumer(batch);
    if (std::exchange(had_steps, by_steps())) stillness.start_again();
    if (!execution_.was_still && goes_round(log_, stillness)) {
      execution_.was_still = true;
      child_.kill();
    }
  }
  execution_.status = *child_.poll();
  complete(execution_, log_, child_, output_, errors_);
  for (std::uint32_t thread = 0; thread < operations.size(); ++thread) {
    if (thread >= tables().threads.size()) break;
    execution_.digests[tables().threads[thread].birth_path].operations = operations[thread];
  }
}

std::vector<std::string> Observation::build_ids() const {
  std::vector<std::string> ids;
  for (const Module& module : stage_.tables().modules) {
    if (module.instrumented) ids.push_back(build_id_of(module.path));
  }
  return ids;
}

RecordedRun record(const Harness& harness, const Schedule& schedule, int cpu) {
  ScheduleRequest request;
  request.schedule = schedule;
  const RegionRules rules;
  Observation observation(harness, &request, rules, cpu);
  RecordedRun run;
  observation.run([&](std::span<const Event> batch) {
    run.events.insert(run.events.end(), batch.begin(), batch.end());
  });
  run.tables = observation.tables();
  run.execution = observation.execution();
  for (const Module& module : run.tables.modules) {
    if (module.instrumented) run.modules.push_back(module.path);
  }
  return run;
}

void OrderRecorder::feed(std::span<const Event> batch) {
  for (const Event& event : batch) {
    if (!is_operation(event.kind)) continue;
    if (index(event.thread) >= executed_.size()) executed_.resize(index(event.thread) + 1);
    const std::uint64_t count = ++executed_[index(event.thread)];
    if (stretches_.empty() || stretches_.back().thread != event.thread) {
      stretches_.push_back({event.thread, 0});
    }
    stretches_.back().until = count;
  }
}

Schedule OrderRecorder::schedule(const Tables& tables) const {
  Schedule schedule;
  for (const Stretch& stretch : stretches_) {
    schedule.steps.push_back({tables.threads[index(stretch.thread)].birth_path, stretch.until, 0});
  }
  if (!schedule.steps.empty()) {
    schedule.first_after = schedule.steps.back().thread;
    schedule.steps.pop_back();
  }
  return schedule;
}

std::string build_id_of(const std::string& path) {
  try {
    if (std::string id = ElfFile(path).build_id(); !id.empty()) return id;
  } catch (const InputError&) {
    return kUnreadable;
  }
  std::ifstream file(path, std::ios::binary);
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (auto at = std::istreambuf_iterator<char>(file); at != std::istreambuf_iterator<char>();
       ++at) {
    hash = (hash ^ static_cast<unsigned char>(*at)) * 0x100000001b3u;
  }
  return fmt::format("bytes-{:016x}", hash);
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  const char* variable = std::getenv("PATH");
  std::istringstream folders(variable == nullptr ? "" : variable);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string path = folder + "/" + name;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

}  // namespace isosan
