// Two atomics that belong together are stored one by one and seen apart.
// finds: velodrome doublechecker atomizer
// blames: Clock::set
#include <atomic>
#include <thread>

#include "steps.h"

class Clock {
 public:
  void set(int hour, int minute) {
    hour_ = hour;
    let_other_in();
    minute_ = minute;
  }
  int minutes() const {
    const int hour = hour_;
    return hour * 60 + minute_;
  }

 private:
  std::atomic<int> hour_{1}, minute_{59};
};

int main() {
  Clock clock;
  int seen = 0;
  std::thread other([&] {
    await_step(1);
    seen = clock.minutes();
    next_step();
  });
  clock.set(2, 0);
  other.join();
  return seen <= 120;
}
