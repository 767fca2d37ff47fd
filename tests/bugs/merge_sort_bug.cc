// Merge sort with a bug (ConTest): the number of threads still allowed is asked and taken in two
// steps; too many start.
#include <mutex>
#include <thread>

#include "bug.h"

class ThreadBudget {
 public:
  explicit ThreadBudget(int allowed) : allowed_(allowed) {}
  bool take() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    if (available() == 0) return false;
    use();
    return true;
  }

 private:
  int available() {
    std::lock_guard guard(mutex_);
    return allowed_ - used_;
  }
  void use() {
    std::lock_guard guard(mutex_);
    ++used_;
    bug::require(used_ <= allowed_, "no more threads than allowed");
  }

  std::recursive_mutex mutex_;
  const int allowed_;
  int used_ = 0;
};

void sort(int* values, int count, ThreadBudget& budget) {
  if (count < 2) return;
  const int half = count / 2;
  if (budget.take()) {
    std::thread left([=, &budget] { sort(values, half, budget); });
    sort(values + half, count - half, budget);
    left.join();
  } else {
    sort(values, half, budget);
    sort(values + half, count - half, budget);
  }
  int merged[8];
  for (int i = 0, j = half, k = 0; k < count; ++k)
    merged[k] = j == count || (i < half && values[i] <= values[j]) ? values[i++] : values[j++];
  for (int k = 0; k < count; ++k) values[k] = merged[k];
}

int main() {
  ThreadBudget budget(bug::kRounds > 1 ? 7 : 2);
  int values[8] = {5, 3, 8, 1, 7, 2, 6, 4};
  sort(values, 8, budget);
  for (int i = 0; i < 8; ++i) bug::require(values[i] == i + 1, "the values are in order");
}
