// A stolen wake-up: a consumer that was woken does not look again whether there is an item (`if` in
// place of `while`); a second consumer has come first and taken it.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "bug.h"

class Queue {
 public:
  void put() {
    std::lock_guard guard(mutex_);
    ++items_;
    more_.notify_one();
  }
  FIXED_AND_SPLIT_AT_WAIT void take() {
    std::unique_lock lock(mutex_);
    if (bug::kFixed) {
      while (items_ == 0) more_.wait(lock);
    } else if (items_ == 0) {
      more_.wait(lock);
    }
    bug::require(items_ > 0, "who was woken finds an item");
    --items_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable more_;
  int items_ = 0;
};

int main() {
  Queue queue;
  std::thread producer([&] {
    queue.put();
    queue.put();
  });
  std::thread first([&] { queue.take(); });
  std::thread second([&] { queue.take(); });
  producer.join();
  first.join();
  second.join();
}
