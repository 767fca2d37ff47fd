// Two bounds of one interval, each set under the lock, but not both in one critical section: of two
// writers one leaves the lower bound and the other the upper one. Each bound is written once by each
// thread, so no single variable shows it.
#include <mutex>
#include <thread>

#include "bug.h"

class Interval {
 public:
  void set(int low, int high) {
    std::unique_lock<std::mutex> whole(whole_, std::defer_lock);
    if (bug::kFixed) whole.lock();
    set_bound(low_, low);
    set_bound(high_, high);
  }
  bool is(int low, int high) const { return low_ == low && high_ == high; }

 private:
  void set_bound(int& bound, int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    bound = value;
  }

  std::mutex whole_, mutex_;
  int low_ = 0, high_ = 0;
};

int main() {
  Interval interval;
  bug::Thread first([&] { interval.set(10, 20); });
  bug::Thread second([&] { interval.set(30, 40); });
  first.join();
  second.join();
  bug::require(interval.is(10, 20) || interval.is(30, 40), "both bounds are of one writer");
}
