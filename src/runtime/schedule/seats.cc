#include "runtime/schedule/seats.h"

#include "runtime/platform/os.h"
#include "runtime/platform/pool.h"

namespace isosan::rt {
namespace {

log::PathEntry* paths;
Seat** by_path;
Seat* first;
Seat* last;

}  // namespace

void start_seats(log::ScheduleArea& area, char* mapping) {
  paths = reinterpret_cast<log::PathEntry*>(mapping + area.paths_offset);
  by_path = static_cast<Seat**>(map_pages(area.max_paths * sizeof(Seat*)));
}

Seat* first_seat() { return first; }
Seat* seat_of_path(std::uint32_t path) { return by_path[path]; }
log::PathEntry& path_entry(std::uint32_t path) { return paths[path]; }

Seat* add_seat(std::uint32_t path, Thread& thread) {
  auto* seat = new (pool_allocate(sizeof(Seat))) Seat;
  seat->path = path;
  seat->block = thread.block;
  seat->state = SeatState::kReady;
  paths[path].thread = thread.id;
  by_path[path] = seat;
  (last == nullptr ? first : last->next) = seat;
  last = seat;
  return seat;
}

std::uint32_t path_of_child(log::ScheduleArea& area, Seat& parent) {
  const std::uint32_t ordinal = parent.children++;
  const std::uint32_t count = area.paths.load(std::memory_order_relaxed);
  for (std::uint32_t i = 1; i < count; ++i) {
    if (paths[i].parent == parent.path && paths[i].ordinal == ordinal) return i;
  }
  if (count == area.max_paths) return log::kNoPath;
  paths[count].parent = parent.path;
  paths[count].ordinal = ordinal;
  area.paths.store(count + 1, std::memory_order_release);  // order: table
  return count;
}

}  // namespace isosan::rt
