#include "live/schedule_room.h"

#include <algorithm>
#include <map>
#include <new>

#include "base/check.h"
#include "base/input_error.h"

namespace isosan {
namespace {

constexpr std::uint32_t kMaxPaths = 1u << 14;
constexpr std::uint64_t kMaxTaken = 1u << 20;

log::ScheduleArea& area_of(const SharedLog& log) {
  return *reinterpret_cast<log::ScheduleArea*>(log.base() + log.header().schedule_offset);
}
log::PathEntry* paths_of(const SharedLog& log) {
  return reinterpret_cast<log::PathEntry*>(log.base() + area_of(log).paths_offset);
}

// Numbers birth paths, ancestors first.
class PathTable {
 public:
  explicit PathTable(log::PathEntry* entries) : entries_(entries) { numbers_["0"] = 0; }

  std::uint32_t number(const std::string& path) {
    if (const auto known = numbers_.find(path); known != numbers_.end()) return known->second;
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos || dot + 1 == path.size() || count_ == kMaxPaths ||
        path.find_first_not_of("0123456789", dot + 1) != std::string::npos) {
      throw InputError("'" + path + "' is no thread of a schedule");
    }
    const std::uint32_t parent = number(path.substr(0, dot));
    new (&entries_[count_]) log::PathEntry;
    entries_[count_].parent = parent;
    entries_[count_].ordinal = static_cast<std::uint32_t>(std::stoul(path.substr(dot + 1)));
    entries_[count_].thread = log::kNoPath;
    return numbers_[path] = count_++;
  }
  std::uint32_t count() const { return count_; }

 private:
  log::PathEntry* entries_;
  std::uint32_t count_ = 1;
  std::map<std::string, std::uint32_t> numbers_;
};

std::vector<std::string> names_of(const log::PathEntry* entries, std::uint32_t count) {
  std::vector<std::string> names{"0"};
  for (std::uint32_t i = 1; i < count; ++i) {
    names.push_back(names[std::min(entries[i].parent, i - 1)] + "." +
                    std::to_string(entries[i].ordinal));
  }
  return names;
}

}  // namespace

std::uint64_t schedule_bytes(const ScheduleRequest& request) {
  return sizeof(log::ScheduleArea) + kMaxPaths * sizeof(log::PathEntry) +
         (request.schedule.steps.size() + kMaxTaken) * sizeof(log::Step) + 256;
}

void put_schedule(SharedLog& log, const ScheduleRequest& request) {
  auto& area = *new (log.base() + log.header().schedule_offset) log::ScheduleArea;
  area.policy = request.policy;
  area.seed = request.seed;
  area.pct_depth = request.pct_depth;
  area.pct_length = request.pct_length;
  area.stop_at_cut = request.stop_at_cut;
  area.fixed = request.fixed;
  area.max_paths = kMaxPaths;
  area.max_taken = kMaxTaken;
  area.paths_offset = (log.header().schedule_offset + sizeof(log::ScheduleArea) + 63) & ~63ull;
  area.steps_offset = area.paths_offset + kMaxPaths * sizeof(log::PathEntry);
  area.taken_offset = area.steps_offset + request.schedule.steps.size() * sizeof(log::Step);
  PathTable table(paths_of(log));
  auto* step = reinterpret_cast<log::Step*>(log.base() + area.steps_offset);
  for (const ScheduleStep& wanted : request.schedule.steps) {
    *step++ = {wanted.until, table.number(wanted.thread), wanted.beyond};
  }
  area.step_count = request.schedule.steps.size();
  if (!request.schedule.first_after.empty()) {
    area.first_after = table.number(request.schedule.first_after);
  }
  area.paths.store(table.count());
}

log::RunState run_state(const SharedLog& log) { return area_of(log).state.load(); }

ScheduleOutcome schedule_outcome(const SharedLog& log) {
  const log::ScheduleArea& area = area_of(log);
  const log::PathEntry* entries = paths_of(log);
  const std::uint32_t count = std::min(area.paths.load(), kMaxPaths);
  const std::vector<std::string> names = names_of(entries, count);
  ScheduleOutcome outcome{.state = area.state.load(),
                          .why = area.why,
                          .steps_done = area.steps_done.load(),
                          .taken = {},
                          .changes = area.taken.load(),
                          .ran_last = names[std::min(area.running.load(), count - 1)],
                          .threads = {},
                          .asked_world = area.asked_world.load()};
  const auto* taken = reinterpret_cast<const log::Step*>(log.base() + area.taken_offset);
  for (std::uint64_t i = 0; i < std::min(outcome.changes, kMaxTaken); ++i) {
    ISOSAN_CHECK(taken[i].path < count);
    outcome.taken.push_back({names[taken[i].path], taken[i].until, taken[i].beyond});
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (entries[i].thread == log::kNoPath) continue;
    outcome.threads.push_back(
        {names[i], entries[i].thread, entries[i].waits, entries[i].object, entries[i].executed,
         entries[i].blocker == log::kNoPath ? std::nullopt : std::optional(entries[i].blocker)});
  }
  return outcome;
}

}  // namespace isosan
