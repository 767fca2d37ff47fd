// A spin lock class with lock() and unlock(), used through std::lock_guard.
#include <atomic>
#include <mutex>
#include <thread>

class SpinLock {
 public:
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire)) {
      while (taken_.load(std::memory_order_relaxed)) std::this_thread::yield();
    }
  }
  void unlock() { taken_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> taken_{false};
};

class Pair {
 public:
  void set(int value) {
    std::lock_guard lock(lock_);
    left_ = value;
    right_ = -value;
  }
  int sum() {
    std::lock_guard lock(lock_);
    return left_ + right_;
  }

 private:
  SpinLock lock_;
  int left_ = 0, right_ = 0;
};

int main() {
  Pair pair;
  std::thread writer([&] {
    for (int i = 0; i < 200; ++i) pair.set(i);
  });
  int torn = 0;
  for (int i = 0; i < 200; ++i) torn |= pair.sum();
  writer.join();
  return torn;
}
