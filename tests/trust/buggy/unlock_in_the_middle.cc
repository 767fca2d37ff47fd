// A member gives its lock up to call out and goes on with what it had seen before.
// finds: velodrome doublechecker marathon atomizer
// blames: Queue::remove_first
#include <mutex>
#include <thread>
#include <vector>

#include "steps.h"

class Queue {
 public:
  int remove_first() {
    std::unique_lock lock(mutex_);
    const int value = items_[first_];
    lock.unlock();
    let_other_in();
    lock.lock();
    ++first_;
    return value;
  }

 private:
  std::mutex mutex_;
  std::vector<int> items_ = {1, 2, 3};
  std::size_t first_ = 0;
};

int main() {
  Queue queue;
  int theirs = 0;
  std::thread other([&] {
    await_step(1);
    theirs = queue.remove_first();
    next_step();
  });
  const int mine = queue.remove_first();
  other.join();
  return mine != theirs;
}
