// size() says that there is an element, pop() finds none.
// finds: velodrome doublechecker marathon atomizer
// blames: take
#include <mutex>
#include <thread>
#include <vector>

#include "steps.h"

class Stack {
 public:
  void push(int value) {
    std::lock_guard lock(mutex_);
    items_.push_back(value);
  }
  std::size_t size() {
    std::lock_guard lock(mutex_);
    return items_.size();
  }
  int pop() {
    std::lock_guard lock(mutex_);
    if (items_.empty()) return -1;
    const int value = items_.back();
    items_.pop_back();
    return value;
  }

 private:
  std::mutex mutex_;
  std::vector<int> items_;
};

int take(Stack& stack) {
  if (stack.size() == 0) return 0;
  let_other_in();
  return stack.pop();
}

int main() {
  Stack stack;
  stack.push(1);
  std::thread other([&] {
    await_step(1);
    take(stack);
    next_step();
  });
  const int mine = take(stack);
  other.join();
  return mine == 1;
}
