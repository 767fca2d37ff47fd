// Plays a schedule against the rules of locks, threads and synchronization, operation by operation.
// Shares no line with src/predict.
//
// Model: an operation may be executed if its thread was forked, its lock is free, the thread that
// it joins has executed all that it did in the run, everybody has arrived at the barrier that it
// follows, the posts cover the waits (as far as they did in the run), and what it saw done or
// published in the run is. Anything else is an error.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "event/event.h"
#include "event/schedule.h"

namespace isosan::test {

class SchedulePlayer {
 public:
  explicit SchedulePlayer(std::span<const Event> events);

  // Empty, or what is wrong with the schedule. Threads are called by their numbers.
  std::string play(const Schedule& schedule);

  // After play(): ordinals (in the observed run) of the operations, in the order of execution.
  const std::vector<std::size_t>& order() const { return order_; }
  std::size_t executed(std::size_t thread) const { return executed_[thread]; }
  std::size_t operations(std::size_t thread) const { return threads_[thread].size(); }

 private:
  struct Lock {
    int exclusive = -1;  // thread
    int readers = 0;
  };
  std::string execute(std::size_t thread);
  std::string lock_error(const Event& e);
  std::string order_error(std::size_t ordinal);

  std::span<const Event> events_;
  std::vector<std::vector<std::size_t>> threads_;  // ordinals of operations
  std::vector<std::vector<std::size_t>> needs_;    // by ordinal: operations that come before
  std::map<Address, long> initial_;                // of semaphores
  std::vector<std::size_t> executed_;
  std::vector<bool> done_;  // by ordinal
  std::map<Address, Lock> locks_;
  std::map<Address, long> semaphores_;
  std::vector<std::size_t> order_;
};

}  // namespace isosan::test
