// A lost notify: the flag is looked at under one lock and waited for under another hold of it; a
// notify in between wakes nobody, and the program hangs.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "bug.h"

class Gate {
 public:
  void open() {
    std::lock_guard guard(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  void pass() {
    if (bug::kFixed) {
      std::unique_lock lock(mutex_);
      while (!open_) opened_.wait(lock);
      return;
    }
    if (is_open()) return;
    std::unique_lock lock(mutex_);
    opened_.wait(lock);
  }

 private:
  bool is_open() {
    std::lock_guard guard(mutex_);
    return open_;
  }

  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

int main() {
  Gate gate;
  std::thread opener([&] { gate.open(); });
  std::thread passer([&] { gate.pass(); });
  opener.join();
  passer.join();
}
