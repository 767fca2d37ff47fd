// Producer and consumer (ConTest): the consumer looks whether an item is there and takes it in a
// second step; with two consumers the item is gone.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "bug.h"

class Channel {
 public:
  void put(int item) {
    std::lock_guard guard(mutex_);
    items_[count_++] = item;
  }
  int take() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    return available() ? remove() : 0;
  }

 private:
  bool available() {
    std::lock_guard guard(mutex_);
    return count_ > 0;
  }
  int remove() {
    std::lock_guard guard(mutex_);
    bug::require(count_ > 0, "the item that was seen is there");
    return items_[--count_];
  }

  std::recursive_mutex mutex_;
  int items_[4] = {};
  int count_ = 0;
};

int main() {
  Channel channel;
  bug::Thread producer([&] { channel.put(1); });
  producer.join();
  bug::Thread first([&] { channel.take(); });
  bug::Thread second([&] { channel.take(); });
  first.join();
  second.join();
}
