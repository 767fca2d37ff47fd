// std::jthread that works until it is asked to stop.
#include <atomic>
#include <mutex>
#include <thread>

class Ticker {
 public:
  void tick() {
    std::lock_guard lock(mutex_);
    ++ticks_;
    last_ = ticks_;
  }
  bool whole() {
    std::lock_guard lock(mutex_);
    return last_ == ticks_;
  }
  int ticks() {
    std::lock_guard lock(mutex_);
    return ticks_;
  }

 private:
  std::mutex mutex_;
  int ticks_ = 0, last_ = 0;
};

int main() {
  Ticker ticker;
  bool whole = true;
  {
    std::jthread ticking([&](std::stop_token stop) {
      while (!stop.stop_requested() && ticker.ticks() < 1000) ticker.tick();
    });
    for (int i = 0; i < 200; ++i) whole &= ticker.whole();
  }
  return !whole;
}
