// Where the parts of the shared log are. Both sides include it.
//
// Law: neither side takes an offset or a size from the mapping twice. Each side keeps one copy that
// was checked: the isosan process made the layout itself, the runtime called fits(). So a later
// write over the header changes no address that either side uses.
#pragma once

#include <bit>
#include <cstdint>

#include "runtime/contract/log_format.h"
#include "runtime/contract/schedule_area.h"
#include "runtime/contract/unordered_granules.h"

namespace isosan::log {

struct LogLayout {
  std::uint64_t size = 0;  // of the mapping
  std::uint32_t max_threads = 0;
  std::uint32_t ring_units = 0;
  std::uint32_t max_modules = 0;
  std::uint64_t blocks_offset = 0;
  std::uint64_t rings_offset = 0;
  std::uint64_t modules_offset = 0;
  std::uint64_t flags_area_offset = 0;
  std::uint64_t flags_area_size = 0;
  std::uint64_t schedule_offset = 0;   // 0: none
  std::uint64_t unordered_offset = 0;  // 0: none
};

inline LogLayout layout_of(const LogHeader& header, std::uint64_t size) {
  return {.size = size,
          .max_threads = header.max_threads,
          .ring_units = header.ring_units,
          .max_modules = header.max_modules,
          .blocks_offset = header.blocks_offset,
          .rings_offset = header.rings_offset,
          .modules_offset = header.modules_offset,
          .flags_area_offset = header.flags_area_offset,
          .flags_area_size = header.flags_area_size,
          .schedule_offset = header.schedule_offset,
          .unordered_offset = header.unordered_offset};
}

// Do `count` objects at `offset` lie in a mapping of `size` bytes, behind the header, aligned?
template <class Object>
constexpr bool holds(std::uint64_t size, std::uint64_t offset, std::uint64_t count) {
  return offset >= sizeof(LogHeader) && offset <= size && offset % alignof(Object) == 0 &&
         count <= (size - offset) / sizeof(Object);
}

constexpr bool fits(const LogLayout& l) {
  return l.max_threads > 0 && std::has_single_bit(l.ring_units) && l.ring_units >= 64 &&
         holds<ThreadBlock>(l.size, l.blocks_offset, l.max_threads) &&
         holds<LogUnit>(l.size, l.rings_offset, std::uint64_t{l.max_threads} * l.ring_units) &&
         holds<ModuleRecord>(l.size, l.modules_offset, l.max_modules) &&
         holds<std::uint64_t>(l.size, l.flags_area_offset, l.flags_area_size / 8) &&
         holds<char>(l.size, l.flags_area_offset, l.flags_area_size) &&
         (l.schedule_offset == 0 || holds<ScheduleArea>(l.size, l.schedule_offset, 1)) &&
         (l.unordered_offset == 0 || holds<UnorderedGranules>(l.size, l.unordered_offset, 1));
}

// The same of a schedule in the mapping: its tables, and the threads that it names.
inline bool fits(const ScheduleArea& area, const LogHeader& mapping, std::uint64_t size) {
  if (area.max_paths == 0 || area.max_paths > (1u << 24) ||
      area.paths.load(std::memory_order_relaxed) > area.max_paths ||
      (area.first_after != kNoPath && area.first_after >= area.max_paths) ||
      (area.last_after != kNoPath && area.last_after >= area.max_paths) ||
      !holds<PathEntry>(size, area.paths_offset, area.max_paths) ||
      !holds<Step>(size, area.steps_offset, area.step_count) ||
      !holds<Step>(size, area.taken_offset, area.max_taken)) {
    return false;
  }
  const auto* steps =
      reinterpret_cast<const Step*>(reinterpret_cast<const char*>(&mapping) + area.steps_offset);
  for (std::uint64_t i = 0; i < area.step_count; ++i) {
    if (steps[i].path >= area.max_paths) return false;
  }
  return true;
}

constexpr bool is_mode(Mode mode) {
  return mode == Mode::kLogged || mode == Mode::kFull || mode == Mode::kUnlogged;
}

}  // namespace isosan::log
