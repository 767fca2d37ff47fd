// A pair that the writer sets in one critical section, and the reader reads in two.
// finds: velodrome doublechecker marathon atomizer
// blames: Range::width
#include <mutex>
#include <thread>

#include "steps.h"

class Range {
 public:
  void set(int low, int high) {
    std::lock_guard lock(mutex_);
    low_ = low;
    high_ = high;
  }
  int low() {
    std::lock_guard lock(mutex_);
    return low_;
  }
  int high() {
    std::lock_guard lock(mutex_);
    return high_;
  }
  int width() {
    const int from = low();
    let_other_in();
    return high() - from;
  }

 private:
  std::mutex mutex_;
  int low_ = 0, high_ = 1;
};

int main() {
  Range range;
  std::thread other([&] {
    await_step(1);
    range.set(10, 11);
    next_step();
  });
  const int width = range.width();
  other.join();
  return width < 0;
}
