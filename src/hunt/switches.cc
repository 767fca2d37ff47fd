#include "hunt/switches.h"

#include <algorithm>
#include <map>

namespace isosan {
namespace {

// What each thread executed, by birth path.
struct Executed {
  ThreadId id{};
  std::vector<Event> operations;
  bool ended = false;
  std::uint64_t reached = 0;  // so far in the walk
};

std::map<std::string, Executed> executed_by(const std::vector<Event>& events,
                                            const Tables& tables) {
  std::map<std::string, Executed> threads;
  for (std::uint32_t i = 0; i < tables.threads.size(); ++i)
    threads[tables.threads[i].birth_path].id = ThreadId{i};
  for (const Event& event : events) {
    if (index(event.thread) >= tables.threads.size()) continue;
    Executed& mine = threads[tables.threads[index(event.thread)].birth_path];
    mine.ended |= event.kind == Kind::kThreadEnd;
    if (is_operation(event.kind)) mine.operations.push_back(event);
  }
  return threads;
}

std::optional<Event> operation(const Executed& thread, std::uint64_t at) {
  if (at >= thread.operations.size()) return std::nullopt;
  return thread.operations[at];
}

}  // namespace

std::vector<Switch> switches_of(const std::vector<Event>& events, const Tables& tables,
                                const Execution& execution) {
  std::map<std::string, Executed> threads = executed_by(events, tables);
  const std::vector<ScheduleStep>& taken = execution.schedule.taken;
  std::vector<Switch> switches;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    Executed& from = threads[taken[i].thread];
    from.reached = taken[i].until;
    const bool last = i + 1 == taken.size();
    const Executed& to = threads[last ? execution.schedule.ran_last : taken[i + 1].thread];
    const std::uint64_t end = last ? to.operations.size() : taken[i + 1].until;
    Switch one{.from = from.id,
               .to = to.id,
               .executed = from.reached,
               .stops = operation(from, from.reached),
               .ends = from.ended && from.reached >= from.operations.size(),
               .begins = to.reached,
               .runs = std::max(end, to.reached) - to.reached};
    if (from.reached > 0) one.last = operation(from, from.reached - 1);
    if (one.runs > 0) one.goes_on = operation(to, to.reached);
    switches.push_back(std::move(one));
  }
  return switches;
}

Stop stop_at_switch(const Execution& execution, std::uint64_t number) {
  const Schedule schedule = schedule_of(execution);
  const std::uint64_t steps = std::min<std::uint64_t>(number, schedule.steps.size());
  return {schedule, steps};
}

std::optional<Stop> stop_before(const Execution& execution, const std::string& thread,
                                std::uint64_t until) {
  const std::vector<ScheduleStep>& taken = execution.schedule.taken;
  const auto stretch = std::ranges::find_if(
      taken, [&](const ScheduleStep& step) { return step.thread == thread && step.until > until; });
  if (stretch == taken.end() && execution.schedule.ran_last != thread) return std::nullopt;
  const auto at = stretch - taken.begin();
  Stop stop{schedule_of(execution), static_cast<std::uint64_t>(at) + 1};
  stop.schedule.steps.insert(stop.schedule.steps.begin() + at, {thread, until, 0});
  return stop;
}

}  // namespace isosan
