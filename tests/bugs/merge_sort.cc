// Merge sort (ConTest): two sorters report their sorted runs into one queue; index and value are
// stored in two steps.
#include <mutex>
#include <thread>

#include "bug.h"

class Runs {
 public:
  void add(int first, int length) {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    set_first(first);
    set_length(length);
  }
  int total() {
    std::lock_guard guard(mutex_);
    int total = 0;
    for (int i = 0; i < lengths_; ++i) total += first_[i] * 10 + length_[i];
    return total;
  }

 private:
  void set_first(int first) {
    std::lock_guard guard(mutex_);
    first_[firsts_++] = first;
  }
  void set_length(int length) {
    std::lock_guard guard(mutex_);
    bug::require(length == first_[lengths_] + 1, "first and length of a run belong together");
    length_[lengths_++] = length;
  }

  std::recursive_mutex mutex_;
  int first_[4] = {};
  int length_[4] = {};
  int firsts_ = 0;
  int lengths_ = 0;
};

int main() {
  Runs runs;
  bug::Thread left([&] { runs.add(1, 2); });
  bug::Thread right([&] { runs.add(5, 6); });
  left.join();
  right.join();
  bug::require(runs.total() == 68 * bug::kRounds, "both runs are there");
}
