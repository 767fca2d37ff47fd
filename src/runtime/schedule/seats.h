// The seats of the scheduler: one for each thread that was ever created, in order of creation; and
// the policies that choose among the threads that are ready. All of it needs the scheduler's lock.
#pragma once

#include "runtime/schedule/schedule.h"

namespace isosan::rt {

enum class SeatState : std::uint32_t { kReady, kRunning, kWaiting, kOutside, kEnded };

struct Seat {
  SeatPoint point;  // first: schedule.h
  SeatState state{};
  std::uint32_t path = 0;
  std::uint32_t children = 0;
  std::uint32_t tid = 0;
  log::ThreadBlock* block = nullptr;  // null: ended
  std::uint64_t last_executed = 0;    // then
  std::atomic<std::uint32_t> turn{0};
  std::uint32_t after_tid = 0;  // runs when that thread of the kernel is gone
  log::Waits waits{};
  bool in_time = true;  // woken, not timed out
  bool woken = false;   // ... and has not run since: `waits` and `object` say for what
  std::uint64_t object = 0;
  std::uint32_t joined = log::kNoPath;  // kJoin: ThreadId of who has to end
  std::uint64_t ticket = 0;
  std::uint64_t deadline = kForEver;  // in virtual time
  std::uint64_t priority = 0;
  std::uint64_t weight = 0;  // kSurw: PathEntry::weight, less what was executed and who was born
  PendingOperation pending;  // the operation at whose point it stands
  std::uint64_t last_atomic = 0;
  std::uint64_t last_atomic_at = 0;
  std::uint32_t repeats = 0;
  std::uint32_t idle_turns = 0;
  Seat* next = nullptr;

  std::uint64_t executed() const { return block != nullptr ? block->executed : last_executed; }
  bool holds_locks() const {
    return block != nullptr && reinterpret_cast<Thread*>(block->runtime)->locks_held > 0;
  }
  void end() {
    last_executed = executed();
    block = nullptr;
    state = SeatState::kEnded;
  }
};

void start_seats(log::ScheduleArea& area, char* mapping);
Seat* add_seat(std::uint32_t path, Thread& thread);
Seat* first_seat();
Seat* seat_of_path(std::uint32_t path);
log::PathEntry& path_entry(std::uint32_t path);
// The path of the next child; kNoPath: the table is full.
std::uint32_t path_of_child(log::ScheduleArea& area, Seat& parent);

// The thread that must act before `seat` can go on, if it is known to be one thread; else null.
Seat* blocker_of(const Seat& seat);
// Does it wait, by way of others, for itself?
bool closes_cycle(const Seat& seat);

void prepare_policy(const log::ScheduleArea& area);
// A thread was created.
void enter_policy(Seat& parent, Seat& child);
// One of those that are ready; null: none is. `yields`: rather not `me`.
Seat* choose_ready(const log::ScheduleArea& area, Seat& me, bool yields);

}  // namespace isosan::rt
