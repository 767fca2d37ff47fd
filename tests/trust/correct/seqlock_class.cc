// A seqlock class: the data are relaxed atomics between fences.
#include <atomic>
#include <thread>

class Point {
 public:
  void set(int x, int y) {
    const unsigned now = sequence_.load(std::memory_order_relaxed);
    sequence_.store(now + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    x_.store(x, std::memory_order_relaxed);
    y_.store(y, std::memory_order_relaxed);
    sequence_.store(now + 2, std::memory_order_release);
  }
  int sum() const {
    for (;;) {
      const unsigned before = sequence_.load(std::memory_order_acquire);
      const int x = x_.load(std::memory_order_relaxed), y = y_.load(std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_acquire);
      if (before % 2 == 0 && sequence_.load(std::memory_order_relaxed) == before) return x + y;
    }
  }

 private:
  std::atomic<unsigned> sequence_{0};
  std::atomic<int> x_{0}, y_{0};
};

int main() {
  Point point;
  int torn[2] = {};
  auto look = [&point](int* result) {
    for (int i = 0; i < 100; ++i) *result |= point.sum();
  };
  std::thread a(look, &torn[0]), b(look, &torn[1]);
  for (int i = 0; i < 100; ++i) point.set(i, -i);
  a.join();
  b.join();
  return torn[0] | torn[1];
}
