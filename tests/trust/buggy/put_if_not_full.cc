// full() says no, put() overwrites: check-then-act across two calls.
// finds: velodrome doublechecker marathon atomizer
// blames: offer
#include <mutex>
#include <thread>

#include "steps.h"

class Slot {
 public:
  bool full() {
    std::lock_guard lock(mutex_);
    return full_;
  }
  void put(int value) {
    std::lock_guard lock(mutex_);
    full_ = true;
    value_ = value;
    ++puts_;
  }
  int puts() {
    std::lock_guard lock(mutex_);
    return puts_;
  }

 private:
  std::mutex mutex_;
  bool full_ = false;
  int value_ = 0, puts_ = 0;
};

bool offer(Slot& slot, int value) {
  if (slot.full()) return false;
  let_other_in();
  slot.put(value);
  return true;
}

int main() {
  Slot slot;
  std::thread other([&] {
    await_step(1);
    offer(slot, 1);
    next_step();
  });
  offer(slot, 2);
  other.join();
  return slot.puts() != 2;
}
