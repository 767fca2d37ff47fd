// Two semaphores and two mutex-guarded ends: a bounded buffer without a condition.
#include <mutex>
#include <semaphore>
#include <thread>

class Buffer {
 public:
  void put(int value) {
    free_.acquire();
    {
      std::lock_guard lock(mutex_);
      slots_[tail_++ % 4] = value;
    }
    used_.release();
  }
  int get() {
    used_.acquire();
    int value;
    {
      std::lock_guard lock(mutex_);
      value = slots_[head_++ % 4];
    }
    free_.release();
    return value;
  }

 private:
  std::mutex mutex_;
  std::counting_semaphore<4> free_{4}, used_{0};
  int slots_[4] = {};
  unsigned head_ = 0, tail_ = 0;
};

int main() {
  Buffer buffer;
  int sums[2] = {};
  std::thread producer([&] {
    for (int i = 0; i < 200; ++i) buffer.put(i);
  });
  auto consume = [&buffer](int* sum) {
    for (int i = 0; i < 100; ++i) *sum += buffer.get();
  };
  std::thread a(consume, &sums[0]), b(consume, &sums[1]);
  producer.join();
  a.join();
  b.join();
  return sums[0] + sums[1] != 19900;
}
