// A std::timed_mutex that is tried for twice in one function.
// finds: velodrome doublechecker marathon atomizer
// blames: Meter::add
#include <chrono>
#include <mutex>
#include <thread>

#include "steps.h"

class Meter {
 public:
  void add(int n) {
    int before = 0;
    if (std::unique_lock lock(mutex_, std::chrono::hours(1)); lock) before = value_;
    let_other_in();
    if (std::unique_lock lock(mutex_, std::chrono::hours(1)); lock) value_ = before + n;
  }
  int value() {
    std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  std::timed_mutex mutex_;
  int value_ = 0;
};

int main() {
  Meter meter;
  std::thread other([&] {
    await_step(1);
    meter.add(1);
    next_step();
  });
  meter.add(1);
  other.join();
  return meter.value() == 2;
}
