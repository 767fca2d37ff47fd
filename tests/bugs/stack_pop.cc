// java.util.Stack (Penelope): `if (!empty()) pop()`: each step is synchronized, the pair is not.
#include <mutex>
#include <thread>

#include "bug.h"

class Stack {
 public:
  void push(int value) {
    std::lock_guard guard(mutex_);
    elements_[size_++] = value;
  }
  bool empty() {
    std::lock_guard guard(mutex_);
    return size_ == 0;
  }
  int pop() {
    std::lock_guard guard(mutex_);
    bug::require(size_ > 0, "pop finds an element");
    return elements_[--size_];
  }
  int pop_or(int otherwise) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    return empty() ? otherwise : pop();
  }

 private:
  std::recursive_mutex mutex_;
  int elements_[8] = {};
  int size_ = 0;
};

int main() {
  Stack stack;
  stack.push(7);
  int taken[2] = {};
  bug::before_again([&] { stack.push(7); });
  bug::Thread first([&] { taken[0] = stack.pop_or(0); });
  bug::Thread second([&] { taken[1] = stack.pop_or(0); });
  first.join();
  second.join();
  bug::require(taken[0] + taken[1] == 7, "one of the two has the element");
}
