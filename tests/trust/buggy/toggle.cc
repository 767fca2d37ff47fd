// A switch is read and set to the opposite: two toggles do the work of one.
// finds: velodrome doublechecker marathon atomizer
// blames: Switch::toggle
#include <mutex>
#include <thread>

#include "steps.h"

class Switch {
 public:
  bool on() {
    std::lock_guard lock(mutex_);
    return on_;
  }
  void set(bool on) {
    std::lock_guard lock(mutex_);
    on_ = on;
  }
  void toggle() {
    const bool now = on();
    let_other_in();
    set(!now);
  }

 private:
  std::mutex mutex_;
  bool on_ = false;
};

int main() {
  Switch lamp;
  std::thread other([&] {
    await_step(1);
    lamp.toggle();
    next_step();
  });
  lamp.toggle();
  other.join();
  return !lamp.on();
}
