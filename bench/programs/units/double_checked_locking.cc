// Double-checked locking (DCL), with plain fields: the first look at the pointer is without the lock, so that what a thread sees
// may change before it looks again. -DFIXED: one look, under the lock.
#include <cstdio>
#include <mutex>

#include "threads.h"

class Registry {
 public:
  static Registry* instance() {
    if (!units::kFixed && instance_ != nullptr) return instance_;
    const std::lock_guard lock(mutex_);
    if (instance_ == nullptr) {
      instance_ = &storage_;
      ++made_;
    }
    return instance_;
  }

 private:
  static Registry storage_;
  static Registry* instance_;
  static std::mutex mutex_;
  static int made_;
};
Registry Registry::storage_;
Registry* Registry::instance_ = nullptr;
std::mutex Registry::mutex_;
int Registry::made_ = 0;

int main(int argc, char** argv) {
  units::in_threads(units::threads_asked(argc, argv, 20), [](int) { Registry::instance(); });
  std::puts("ok");
}
