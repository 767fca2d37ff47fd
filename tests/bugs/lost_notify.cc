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
  FIXED_AND_SPLIT_AT_WAIT void pass() {
    if (bug::kFixed) {
      std::unique_lock lock(mutex_);
      if (bug::kRounds > 1) ++waiting_;
      while (!open_) opened_.wait(lock);
      return;
    }
    if (is_open()) return;
    std::unique_lock lock(mutex_);
    if (bug::kRounds > 1) ++waiting_;
    opened_.wait(lock);
  }
  int waiting() {
    std::lock_guard guard(mutex_);
    return waiting_;
  }

 private:
  bool is_open() {
    std::lock_guard guard(mutex_);
    return open_;
  }

  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
  int waiting_ = 0;
};

int main() {
  Gate gate;
  constexpr int kPassers = bug::kRounds > 1 ? 3 : 1;
  std::thread opener([&] {
    bug::await([&] { return gate.waiting() == kPassers; });
    gate.open();
  });
  std::thread passers[kPassers];
  for (std::thread& passer : passers) passer = std::thread([&] { gate.pass(); });
  opener.join();
  for (std::thread& passer : passers) passer.join();
}
