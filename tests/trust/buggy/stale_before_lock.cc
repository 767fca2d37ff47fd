// A value read before the lock is taken, and used under it.
// finds: velodrome doublechecker marathon atomizer
// blames: Stack::push
#include <mutex>
#include <thread>
#include <vector>

#include "steps.h"

class Stack {
 public:
  std::size_t size() {
    std::lock_guard lock(mutex_);
    return size_;
  }
  void push(int value) {
    const std::size_t at = size();
    let_other_in();
    std::lock_guard lock(mutex_);
    items_[at] = value;
    size_ = at + 1;
  }

 private:
  std::mutex mutex_;
  int items_[8] = {};
  std::size_t size_ = 0;
};

int main() {
  Stack stack;
  std::thread other([&] {
    await_step(1);
    stack.push(1);
    next_step();
  });
  stack.push(2);
  other.join();
  return stack.size() == 2;
}
