// One condition for two kinds of waiters, and notify_one: a producer that waits for room is woken
// in place of the consumer that waits for an item, and all of them wait for ever.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "bug.h"

class Slot {
 public:
  FIXED_AND_SPLIT_AT_WAIT void put() {
    std::unique_lock lock(mutex_);
    while (full_) changed_.wait(lock);
    full_ = true;
    announce();
  }
  FIXED_AND_SPLIT_AT_WAIT void take() {
    std::unique_lock lock(mutex_);
    while (!full_) changed_.wait(lock);
    full_ = false;
    announce();
  }

 private:
  void announce() { bug::kFixed ? changed_.notify_all() : changed_.notify_one(); }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool full_ = false;
};

int main() {
  Slot slot;
  std::thread threads[] = {std::thread([&] { slot.put(); }), std::thread([&] { slot.put(); }),
                           std::thread([&] { slot.take(); }), std::thread([&] { slot.take(); })};
  for (std::thread& thread : threads) thread.join();
}
