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

  static void forget() {
    std::lock_guard guard(mutex_);
    instance_.store(nullptr);
    made_ = 0;
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
  bug::before_again([] { Registry::forget(); });
  bug::Thread first([] { Registry::instance(); });
  bug::Thread second([] { Registry::instance(); });
  first.join();
  second.join();
}
