// Two threads count under a lock; `helper` is in another file, or in a shared library.
#include <cstdio>
#include <mutex>
#include <thread>

int helper(int n);

class Counter {
 public:
  void add(int n) {
    std::lock_guard<std::mutex> guard(mutex_);
    value_ += n;
  }
  int value() const { return value_; }

 private:
  std::mutex mutex_;
  int value_ = 0;
};

int main() {
  Counter counter;
  auto work = [&] {
    for (int i = 0; i < 100; ++i) counter.add(helper(i));
  };
  std::thread other(work);
  work();
  other.join();
  std::printf("sum %d\n", counter.value());
}
