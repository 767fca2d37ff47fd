// A home-made critical section (Critical), with plain fields: the flag is looked at and set in two steps. -DFIXED: under a lock.
#include <cstdio>
#include <mutex>

#include "threads.h"

class Section {
 public:
  bool enter() {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (units::kFixed) lock.lock();
    if (busy_) return false;
    busy_ = true;
    return true;
  }
  void leave() {
    std::unique_lock lock(mutex_, std::defer_lock);
    if (units::kFixed) lock.lock();
    busy_ = false;
  }

 private:
  std::mutex mutex_;
  bool busy_ = false;
};

int main(int argc, char** argv) {
  Section section;
  units::in_threads(units::threads_asked(argc, argv, 2), [&](int) {
    if (section.enter()) section.leave();
  });
  std::puts("ok");
}
