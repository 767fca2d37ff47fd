// Bubble sort (ConTest): two sorters compare and swap neighbours of one array; a swap is two locked
// writes that should be one step.
#include <mutex>
#include <thread>

#include "bug.h"

class Numbers {
 public:
  int at(int i) {
    std::lock_guard guard(mutex_);
    return values_[i];
  }
  void put(int i, int value) {
    std::lock_guard guard(mutex_);
    values_[i] = value;
  }
  void order(int i) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    const int left = at(i);
    const int right = at(i + 1);
    if (left <= right) return;
    put(i, right);
    put(i + 1, left);
  }
  int sum() { return at(0) + at(1) + at(2); }

 private:
  std::recursive_mutex mutex_;
  int values_[3] = {4, 2, 1};
};

int main() {
  Numbers numbers;
  bug::Thread left([&] { numbers.order(0); });
  bug::Thread right([&] { numbers.order(1); });
  left.join();
  right.join();
  bug::require(numbers.sum() == 7, "sorting loses no number");
}
