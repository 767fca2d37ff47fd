// Double-checked locking (ConTest): the second check under the lock is missing, and two instances
// are made.
#include <atomic>
#include <mutex>
#include <thread>

#include "bug.h"

class Registry {
 public:
  static Registry* instance() {
    Registry* seen = instance_.load();
    if (seen != nullptr) return seen;
    std::lock_guard guard(mutex_);
    if (bug::kFixed && instance_.load() != nullptr) return instance_.load();
    static Registry storage[2];
    const int number = made_++;
    bug::require(number == 0, "one instance is made");
    instance_.store(&storage[number]);
    return instance_.load();
  }

 private:
  static std::atomic<Registry*> instance_;
  static std::mutex mutex_;
  static int made_;
};
std::atomic<Registry*> Registry::instance_{nullptr};
std::mutex Registry::mutex_;
int Registry::made_ = 0;

int main() {
  std::thread first([] { Registry::instance(); });
  std::thread second([] { Registry::instance(); });
  first.join();
  second.join();
}
