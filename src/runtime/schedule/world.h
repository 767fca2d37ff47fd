// What a scheduled run sees of the world: virtual time, and where the schedule asks for it
// (ScheduleArea::fixed) a clock and random numbers that are the same in every run.
//
// The fixed clock stands still but for virtual time and a microsecond for each time it is read, so
// that a loop that waits for it ends. With the turn, all of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/contract/schedule_area.h"

namespace isosan::rt {

void start_world(log::ScheduleArea& area);

std::uint64_t virtual_time();                // nanoseconds since the start
void let_time_pass(std::uint64_t deadline);  // until then, if it is not over

// Notes that the program asks; is the answer fixed?
bool asks_world(log::World what);
std::uint64_t fixed_time();  // nanoseconds since the start, without reading the clock
std::uint64_t read_fixed_clock();
void fill_with_fixed_random(void* to, std::size_t n);

}  // namespace isosan::rt
