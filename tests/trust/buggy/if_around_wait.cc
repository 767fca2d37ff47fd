// `if` for `while` around a wait. Each hold of the lock is atomic, so that no analysis can know.
// finds: none
#include <condition_variable>
#include <mutex>
#include <thread>

#include "steps.h"

class Slot {
 public:
  void take() {
    std::unique_lock lock(mutex_);
    next_step();
    if (count_ == 0) changed_.wait(lock);
    --count_;
  }
  void put_and_take() {
    std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_one();
    --count_;
  }
  int count() {
    std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

int main() {
  Slot slot;
  std::thread other([&] { slot.take(); });
  await_step(1);
  slot.put_and_take();
  other.join();
  return slot.count() != -1;
}
