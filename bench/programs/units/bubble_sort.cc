// Bubble sort in threads (BubbleSort 2): each thread puts two neighbours in order. It looks at them and swaps them in two steps
// with the lock given up between. -DFIXED: in one.
#include <cstdio>
#include <mutex>
#include <utility>

#include "threads.h"

class Numbers {
 public:
  explicit Numbers(int count) : values_(count) {
    for (int i = 0; i < count; ++i) values_[i] = count - i;
  }
  void order(int i) {
    std::unique_lock lock(mutex_);
    const bool swap = values_[i] > values_[i + 1];
    if (!units::kFixed) {
      lock.unlock();
      lock.lock();
    }
    if (swap) std::swap(values_[i], values_[i + 1]);
  }

 private:
  std::mutex mutex_;
  std::vector<int> values_;
};

int main(int argc, char** argv) {
  const int count = units::threads_asked(argc, argv, 20);
  Numbers numbers(count + 1);
  units::in_threads(count, [&](int i) {
    numbers.order(i);
    numbers.order(count - 1 - i);
  });
  std::puts("ok");
}
