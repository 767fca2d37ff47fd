// Array blocking queue (Marathon): drain asks for the size and takes that many; a poll in between
// makes it take one that is not there.
#include <mutex>
#include <thread>

#include "bug.h"

class ArrayBlockingQueue {
 public:
  void offer(int value) {
    std::lock_guard guard(mutex_);
    items_[(head_ + count_++) % 4] = value;
  }
  int poll() {
    std::lock_guard guard(mutex_);
    if (count_ == 0) return 0;
    return remove();
  }
  int drain() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    int sum = 0;
    for (int left = size(); left > 0; --left) sum += remove();
    return sum;
  }
  int size() {
    std::lock_guard guard(mutex_);
    return count_;
  }

 private:
  int remove() {
    std::lock_guard guard(mutex_);
    bug::require(count_ > 0, "what is removed is there");
    const int value = items_[head_];
    head_ = (head_ + 1) % 4;
    --count_;
    return value;
  }

  std::recursive_mutex mutex_;
  int items_[4] = {};
  int head_ = 0;
  int count_ = 0;
};

int main() {
  ArrayBlockingQueue queue;
  queue.offer(1);
  queue.offer(2);
  bug::before_again([&] { queue.offer(3); });
  bug::Thread drainer([&] { queue.drain(); });
  bug::Thread poller([&] { queue.poll(); });
  drainer.join();
  poller.join();
}
