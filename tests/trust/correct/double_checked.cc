// A lazy member: an atomic flag looked at without the lock, then again with it.
#include <atomic>
#include <mutex>
#include <string>
#include <thread>

class Lazy {
 public:
  const std::string& get() {
    if (!ready_.load(std::memory_order_acquire)) {
      std::lock_guard lock(mutex_);
      if (!ready_.load(std::memory_order_relaxed)) {
        value_ = std::string(40, 'x');
        ready_.store(true, std::memory_order_release);
      }
    }
    return value_;
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> ready_{false};
  std::string value_;
};

int main() {
  Lazy lazy;
  std::size_t sizes[3] = {};
  auto work = [&lazy](std::size_t* size) {
    for (int i = 0; i < 50; ++i) *size += lazy.get().size();
  };
  std::thread a(work, &sizes[0]), b(work, &sizes[1]), c(work, &sizes[2]);
  a.join();
  b.join();
  c.join();
  return sizes[0] != 2000 || sizes[1] != 2000 || sizes[2] != 2000;
}
