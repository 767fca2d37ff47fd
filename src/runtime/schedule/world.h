// What a scheduled run sees of the outside: virtual time, and, if the schedule asks for it
// (ScheduleArea::fixed), a clock and random numbers that are the same in every run.
//
// The fixed clock moves only by virtual time, and by a microsecond each time it is read, so that a
// loop that waits for it ends. All of it needs the turn.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/contract/schedule_area.h"

namespace isosan::rt {

void start_world(log::ScheduleArea& area);

std::uint64_t virtual_time();                // nanoseconds since the start
void let_time_pass(std::uint64_t deadline);  // until then, if it is not over

// Records that the program asks for this. Is the answer fixed?
bool asks_world(log::World what);
std::uint64_t fixed_time();  // nanoseconds since the start, without reading the clock
std::uint64_t read_fixed_clock();
void fill_with_fixed_random(void* to, std::size_t n);

}  // namespace isosan::rt
