#include "live/schedule_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <set>

#include "base/check.h"
#include "base/input_error.h"

namespace isosan {
namespace {

static_assert(kUnlocked == log::kUnlocked);

constexpr std::uint64_t kMaxTaken = 1u << 20;

// Offsets of the tables behind the area, those of fixed size first.
struct Room {
  std::uint64_t area, paths, taken, steps;
};
Room room_of(const SharedLog& log) {
  Room room{};
  room.area = log.layout().schedule_offset;
  room.paths = (room.area + sizeof(log::ScheduleArea) + 63) & ~std::uint64_t{63};
  room.taken = room.paths + kMostThreads * sizeof(log::PathEntry);
  room.steps = room.taken + kMaxTaken * sizeof(log::Step);
  return room;
}

log::ScheduleArea& area_of(const SharedLog& log) {
  return *reinterpret_cast<log::ScheduleArea*>(log.base() + room_of(log).area);
}

template <class Entry>
std::vector<Entry> copied(const SharedLog& log, std::uint64_t offset, std::uint64_t count) {
  std::vector<Entry> entries(count);
  if (count == 0) return entries;
  std::memcpy(static_cast<void*>(entries.data()), log.base() + offset, count * sizeof(Entry));
  return entries;
}

// The value if it is in the enumeration, else the default.
template <class Enumeration>
Enumeration known(Enumeration value, Enumeration last) {
  return value <= last ? value : Enumeration{};
}

// Numbers birth paths, ancestors first.
class PathTable {
 public:
  explicit PathTable(log::PathEntry* entries) : entries_(entries) {
    new (&entries_[0]) log::PathEntry;
    numbers_["0"] = 0;
  }

  std::uint32_t number(const std::string& path) {
    if (const auto known = numbers_.find(path); known != numbers_.end()) return known->second;
    const std::size_t dot = path.rfind('.');
    ISOSAN_CHECK(dot != std::string::npos);  // the parser has looked (trace/schedule_file.h)
    const std::uint32_t parent = number(path.substr(0, dot));
    if (count_ == kMostThreads)
      throw InputError(fmt::format("the schedule names more than {} threads", kMostThreads));
    new (&entries_[count_]) log::PathEntry;
    entries_[count_].parent = parent;
    entries_[count_].ordinal = static_cast<std::uint32_t>(std::stoul(path.substr(dot + 1)));
    entries_[count_].thread = log::kNoPath;
    return numbers_[path] = count_++;
  }
  std::uint32_t count() const { return count_; }
  log::PathEntry& operator[](std::uint32_t number) { return entries_[number]; }

 private:
  log::PathEntry* entries_;
  std::uint32_t count_ = 1;
  std::map<std::string, std::uint32_t> numbers_;
};

// Names the valid entries: a parent must come before its child, and the depth is
// limited.
std::vector<std::string> names_of(const std::vector<log::PathEntry>& entries) {
  constexpr std::size_t kLongest = 4096;
  std::vector<std::string> names{"0"};
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i].parent >= i || names[entries[i].parent].size() > kLongest) break;
    names.push_back(names[entries[i].parent] + "." + std::to_string(entries[i].ordinal));
  }
  return names;
}

std::vector<ThreadAtEnd> threads_at_end(const std::vector<log::PathEntry>& entries,
                                        const std::vector<std::string>& names) {
  std::vector<ThreadAtEnd> result;
  std::set<std::uint32_t> threads;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const log::PathEntry& entry = entries[i];
    if (entry.thread == log::kNoPath || !threads.insert(entry.thread).second) continue;
    result.push_back({.path = names[i],
                      .thread = entry.thread,
                      .waits = known(entry.waits, log::Waits::kEnded),
                      .object = entry.object,
                      .executed = entry.executed,
                      .blocker = entry.blocker});
  }
  for (ThreadAtEnd& thread : result) {
    if (!threads.contains(*thread.blocker)) thread.blocker.reset();
  }
  return result;
}

BrokenAt broken_at(const log::ScheduleArea& area) {
  const char* name = area.broken_invariant;
  return {.what = known(area.broken, log::Broken::kInvariant),
          .thread = area.broken_by,
          .address = area.broken_address,
          .size = area.broken_size,
          .invariant = std::string(name, ::strnlen(name, sizeof area.broken_invariant))};
}

}  // namespace

std::uint64_t schedule_bytes(const ScheduleRequest& request) {
  return sizeof(log::ScheduleArea) + kMostThreads * sizeof(log::PathEntry) +
         (request.schedule.steps.size() + kMaxTaken) * sizeof(log::Step) + 256;
}

void put_schedule(SharedLog& log, const ScheduleRequest& request) {
  const Room room = room_of(log);
  auto& area = *new (log.base() + room.area) log::ScheduleArea;
  area.policy = request.policy;
  area.seed = request.seed;
  area.pct_depth = request.pct_depth;
  area.pct_length = request.pct_length;
  area.stop_after = request.stop_after;
  area.fixed = request.fixed;
  area.keep_freed = request.keep_freed;
  area.check_invariants = request.check_invariants;
  area.max_paths = kMostThreads;
  area.max_taken = kMaxTaken;
  area.paths_offset = room.paths;
  area.taken_offset = room.taken;
  area.steps_offset = room.steps;
  PathTable table(reinterpret_cast<log::PathEntry*>(log.base() + room.paths));
  auto* step = reinterpret_cast<log::Step*>(log.base() + room.steps);
  for (const ScheduleStep& wanted : request.schedule.steps) {
    *step++ = {wanted.until, table.number(wanted.thread), wanted.beyond};
  }
  area.step_count = request.schedule.steps.size();
  if (!request.schedule.first_after.empty()) {
    area.first_after = table.number(request.schedule.first_after);
  }
  if (!request.last_after.empty()) area.last_after = table.number(request.last_after);
  area.object = request.selected.address;
  area.object_size = request.selected.size;
  for (const auto& [path, operations] : request.selected.operations) {
    for (std::uint32_t i = table.number(path); i != log::kNoPath; i = table[i].parent) {
      table[i].weight += operations;
    }
  }
  area.paths.store(table.count());
}

bool goes_round(const SharedLog& log, const Stillness& stillness) {
  return stillness.is_reached() && area_of(log).asked_world.load() == 0;
}

bool has_steps_left(const SharedLog& log) {
  return log.layout().schedule_offset != 0 &&
         area_of(log).state.load() == log::RunState::kFollowing;
}

std::uint32_t stopped_thread(const SharedLog& log) { return area_of(log).stopped.load(); }

ScheduleOutcome schedule_outcome(const SharedLog& log) {
  const Room room = room_of(log);
  const log::ScheduleArea& area = area_of(log);
  const std::uint32_t path_count = std::clamp(area.paths.load(), 1u, kMostThreads);
  const auto entries = copied<log::PathEntry>(log, room.paths, path_count);
  const std::vector<std::string> names = names_of(entries);
  const std::uint64_t changes = area.taken.load();
  const std::uint32_t running = area.running.load();
  ScheduleOutcome outcome{.state = known(area.state.load(), log::RunState::kDeadlock),
                          .why = known(area.why, log::LeftBecause::kTooMany),
                          .steps_done = area.steps_done.load(),
                          .taken = {},
                          .changes = changes,
                          .ran_last = names[running < names.size() ? running : 0],
                          .threads = {},
                          .asked_world = area.asked_world.load(),
                          .invariants = area.invariants,
                          .broken = broken_at(area)};
  for (const log::Step& step : copied<log::Step>(log, room.taken, std::min(changes, kMaxTaken))) {
    if (step.path >= names.size()) break;
    outcome.taken.push_back({names[step.path], step.until, step.beyond});
  }
  outcome.threads = threads_at_end(entries, names);
  return outcome;
}

}  // namespace isosan
