#include "property/predict/schedule_player.h"

#include <algorithm>
#include <utility>

namespace isosan::test {

// What an operation needs is told by events around it: all operations of a thread behind its fork
// need that, all behind a depart need the arrivals, ...; it is enough to tell the first operation.
SchedulePlayer::SchedulePlayer(std::span<const Event> events)
    : events_(events), needs_(events.size()), done_(events.size()) {
  std::map<std::size_t, std::vector<std::size_t>> pending;  // thread: needs of its next operation
  std::map<std::pair<Address, std::uint64_t>, std::vector<std::size_t>> arrivals;
  std::map<Address, std::vector<std::size_t>> published;
  std::map<Address, long> balance;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& e = events[i];
    const std::size_t t = index(e.thread);
    if (t >= threads_.size()) threads_.resize(t + 1);
    std::vector<std::size_t>& mine = pending[t];
    const auto add = [&](const std::vector<std::size_t>& all) {
      mine.insert(mine.end(), all.begin(), all.end());
    };
    if (e.kind == Kind::kFork) pending[e.address].push_back(i);
    if (e.kind == Kind::kJoin && e.address < threads_.size()) add(threads_[e.address]);
    if (e.kind == Kind::kBarrierArrive) arrivals[{e.address, e.size}].push_back(i);
    if (e.kind == Kind::kBarrierDepart) add(arrivals[{e.address, e.size}]);
    if (e.kind == Kind::kOnceDone || e.kind == Kind::kPublish) published[e.address].push_back(i);
    if (e.kind == Kind::kOnceSeen || e.kind == Kind::kObserve) add(published[e.address]);
    if (e.kind == Kind::kSemaphorePost) ++balance[e.address];
    if (e.kind == Kind::kSemaphoreWait) {
      const long lack = -(--balance[e.address]);
      initial_[e.address] = std::max(initial_[e.address], lack);
    }
    if (!is_operation(e.kind)) continue;
    needs_[i] = std::exchange(mine, {});
    threads_[t].push_back(i);
  }
  executed_.resize(threads_.size());
}

std::string SchedulePlayer::play(const Schedule& schedule) {
  semaphores_ = initial_;
  for (const ScheduleStep& step : schedule.steps) {
    const std::size_t t = std::stoul(step.thread);
    if (step.until > threads_[t].size()) return "step beyond the end of thread " + step.thread;
    if (step.until <= executed_[t]) return "step of no operation of thread " + step.thread;
    while (executed_[t] < step.until) {
      const std::string error = execute(t);
      if (!error.empty()) {
        return "thread " + step.thread + " operation " + std::to_string(executed_[t]) + ": " +
               error;
      }
    }
  }
  return "";
}

std::string SchedulePlayer::execute(std::size_t thread) {
  const std::size_t ordinal = threads_[thread][executed_[thread]];
  const Event& e = events_[ordinal];
  if (std::string error = order_error(ordinal); !error.empty()) return error;
  if (std::string error = lock_error(e); !error.empty()) return error;
  done_[ordinal] = true;
  order_.push_back(ordinal);
  ++executed_[thread];
  return "";
}

std::string SchedulePlayer::order_error(std::size_t ordinal) {
  for (const std::size_t need : needs_[ordinal]) {
    if (!done_[need]) return "event " + std::to_string(need) + " must come before";
  }
  const Event& e = events_[ordinal];
  if (e.kind == Kind::kSemaphorePost) ++semaphores_[e.address];
  if (e.kind == Kind::kSemaphoreWait && --semaphores_[e.address] < 0) return "semaphore is zero";
  return "";
}

std::string SchedulePlayer::lock_error(const Event& e) {
  if (e.depth > 0 || (e.kind != Kind::kAcquire && e.kind != Kind::kRelease)) return "";
  Lock& lock = locks_[e.address];
  const int thread = static_cast<int>(index(e.thread));
  const bool shared = mode_in(e.detail) == LockMode::kShared;
  if (e.kind == Kind::kAcquire) {
    if (lock.exclusive != -1 || (!shared && lock.readers > 0)) return "lock is not free";
    shared ? void(++lock.readers) : void(lock.exclusive = thread);
  } else if (lock.exclusive == thread) {
    lock.exclusive = -1;
  } else {
    if (--lock.readers < 0) return "lock is not held";
  }
  return "";
}

}  // namespace isosan::test
