// What a scheduled run is watched for, besides how it ends: freed memory that is used or freed again
// (freed.h), and invariants that the program declares (ISOSAN_INVARIANT).
//
// Model: the first thing that is found stands in ScheduleArea::broken. A use of freed memory is
// still executed and logged (the bytes are there), and the run ends at the thread's next point;
// the other two end it at once. Invariants are looked at wherever the turn goes to another thread
// while no thread holds a lock: data that a lock guards may be in disorder until it is released.
#pragma once

#include <cstddef>

#include "runtime/schedule/schedule.h"

namespace isosan::rt {

void start_oracles(log::ScheduleArea& area);
void stop_oracles();
bool run_is_broken();
[[noreturn]] void end_broken_run();

bool keeps_freed();
// Before a block is freed that is kept already. Ends the run.
[[noreturn]] void freed_again(Thread& t, std::uint64_t address, std::size_t size);

// May come before the schedule is started; both must stay.
void add_invariant(const char* name, int (*holds)());
// The turn is about to be passed on. With the scheduler's lock; ends the run if one does not hold.
void check_invariants(const Seat& me);

}  // namespace isosan::rt
