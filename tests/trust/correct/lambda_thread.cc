// Lambdas handed to std::thread; each takes the lock again and again.
#include <mutex>
#include <thread>

class Counter {
 public:
  void add(int amount) {
    std::lock_guard lock(mutex_);
    value_ += amount;
    ++calls_;
  }
  int value() {
    std::lock_guard lock(mutex_);
    return value_ - calls_;
  }

 private:
  std::mutex mutex_;
  int value_ = 0, calls_ = 0;
};

int main() {
  Counter counter;
  std::thread adding([&counter] {
    for (int i = 0; i < 200; ++i) counter.add(2);
  });
  std::thread looking([&counter] {
    for (int i = 0; i < 200; ++i) {
      if (counter.value() < 0) counter.add(1);
    }
  });
  adding.join();
  looking.join();
  return counter.value() != 200;
}
