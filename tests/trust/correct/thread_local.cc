// A thread_local cache with a destructor that adds up under a lock.
#include <mutex>
#include <thread>
#include <vector>

class Totals {
 public:
  void add(int n) {
    std::lock_guard lock(mutex_);
    total_ += n;
  }
  int get() {
    std::lock_guard lock(mutex_);
    return total_;
  }

 private:
  std::mutex mutex_;
  int total_ = 0;
};
Totals totals;

struct Cache {
  ~Cache() { totals.add(count); }
  int count = 0;
};
thread_local Cache cache;

void hit() { ++cache.count; }

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([] {
      for (int k = 0; k < 100; ++k) hit();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return totals.get() != 300;
}
