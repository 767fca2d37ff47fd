// Bubble sort, second program (ConTest): the number of passes still to do is a shared counter that
// two workers look at and count down in two steps.
#include <mutex>
#include <thread>

#include "bug.h"

class Passes {
 public:
  explicit Passes(int count) : left_(count) {}
  bool next() {
    std::unique_lock<std::recursive_mutex> whole(mutex_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    const int left = this->left();
    if (left == 0) return false;
    set_left(left - 1);
    return true;
  }

 private:
  int left() {
    std::lock_guard guard(mutex_);
    return left_;
  }
  void set_left(int left) {
    std::lock_guard guard(mutex_);
    left_ = left;
  }

  std::recursive_mutex mutex_;
  int left_;
};

int main() {
  Passes passes(2 * bug::kRounds);
  int done[2] = {};
  bug::Thread first([&] {
    while (passes.next()) {
      ++done[0];
      if (bug::kRounds > 1) break;
    }
  });
  bug::Thread second([&] {
    while (passes.next()) {
      ++done[1];
      if (bug::kRounds > 1) break;
    }
  });
  first.join();
  second.join();
  bug::require(done[0] + done[1] == 2 * bug::kRounds, "each pass is run once");
}
