// A recursive mutex that is given up between the look and the act.
// finds: velodrome doublechecker marathon atomizer
// blames: Tank::fill
#include <mutex>
#include <thread>

#include "steps.h"

class Tank {
 public:
  int room() {
    std::lock_guard lock(mutex_);
    return capacity_ - level_;
  }
  void add(int n) {
    std::lock_guard lock(mutex_);
    if (room() < n) overflowed_ = true;
    level_ += n;
  }
  void fill() {
    const int n = room();
    let_other_in();
    add(n);
  }
  bool overflowed() {
    std::lock_guard lock(mutex_);
    return overflowed_;
  }

 private:
  std::recursive_mutex mutex_;
  int level_ = 0, capacity_ = 10;
  bool overflowed_ = false;
};

int main() {
  Tank tank;
  std::thread other([&] {
    await_step(1);
    tank.fill();
    next_step();
  });
  tank.fill();
  other.join();
  return !tank.overflowed();
}
