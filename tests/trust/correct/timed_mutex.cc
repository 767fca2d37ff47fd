// std::timed_mutex: tries for an hour at most.
#include <chrono>
#include <mutex>
#include <thread>

class Meter {
 public:
  bool add(int n) {
    std::unique_lock lock(mutex_, std::chrono::hours(1));
    if (!lock) return false;
    total_ += n;
    ++calls_;
    return true;
  }
  int mean() {
    std::lock_guard lock(mutex_);
    return total_ / calls_;
  }

 private:
  std::timed_mutex mutex_;
  int total_ = 0, calls_ = 0;
};

int main() {
  Meter meter;
  auto work = [&meter] {
    for (int i = 0; i < 200; ++i) meter.add(3);
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
  return meter.mean() != 3;
}
