// Delay queue (Marathon): the earliest element is looked at for its time, and the earliest element
// is taken; in between another one has become the earliest.
#include <map>
#include <mutex>
#include <thread>

#include "bug.h"

class DelayQueue {
 public:
  void put(int due) {
    std::lock_guard guard(mutex_);
    due_.emplace(due, due);
  }
  void take_expired(int now) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (first_due() > now) return;
    const int taken = take_first();
    bug::require(taken <= now, "only what is due is taken");
  }

 private:
  int first_due() {
    std::lock_guard guard(mutex_);
    return due_.empty() ? 1000 : due_.begin()->first;
  }
  int take_first() {
    std::lock_guard guard(mutex_);
    if (due_.empty()) return 1000;
    const int due = due_.begin()->first;
    due_.erase(due_.begin());
    return due;
  }

  std::recursive_mutex mutex_;
  std::map<int, int> due_;
};

int main() {
  DelayQueue queue;
  queue.put(10);
  queue.put(90);
  bug::before_again([&] { queue.put(20); });
  bug::Thread first([&] { queue.take_expired(50); });
  bug::Thread second([&] { queue.take_expired(50); });
  first.join();
  second.join();
}
