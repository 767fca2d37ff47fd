// A loop to size() with get(i): the list shrinks in between.
// finds: velodrome doublechecker marathon atomizer
// blames: sum
#include <mutex>
#include <thread>
#include <vector>

#include "steps.h"

class List {
 public:
  std::size_t size() {
    std::lock_guard lock(mutex_);
    return items_.size();
  }
  int get(std::size_t i) {
    std::lock_guard lock(mutex_);
    return i < items_.size() ? items_[i] : -1;
  }
  void clear() {
    std::lock_guard lock(mutex_);
    items_.clear();
  }

 private:
  std::mutex mutex_;
  std::vector<int> items_ = {1, 2, 3};
};

int sum(List& list) {
  int total = 0;
  const std::size_t size = list.size();
  for (std::size_t i = 0; i < size; ++i) {
    let_other_in();
    total += list.get(i);
  }
  return total;
}

int main() {
  List list;
  std::thread other([&] {
    await_step(1);
    list.clear();
    next_step();
  });
  const int total = sum(list);
  other.join();
  return total == 6;
}
