// condition_variable_any on a shared_mutex.
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

class Gate {
 public:
  void open() {
    {
      std::unique_lock lock(mutex_);
      ++level_;
    }
    changed_.notify_all();
  }
  int pass(int level) {
    std::shared_lock lock(mutex_);
    changed_.wait(lock, [&] { return level_ >= level; });
    return level_;
  }

 private:
  std::shared_mutex mutex_;
  std::condition_variable_any changed_;
  int level_ = 0;
};

int main() {
  Gate gate;
  auto walk = [&gate] {
    for (int i = 1; i <= 50; ++i) gate.pass(i);
  };
  std::thread a(walk), b(walk);
  for (int i = 0; i < 50; ++i) gate.open();
  a.join();
  b.join();
  return gate.pass(50) != 50;
}
