// Bounded buffer (ConTest): `if` where `while` is needed: woken by a put whose element another
// consumer takes, get reads an empty buffer.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "bug.h"

class Buffer {
 public:
  void put(int value) {
    std::unique_lock lock(mutex_);
    elements_[count_++] = value;
    filled_.notify_one();
  }
  FIXED_AND_SPLIT_AT_WAIT int get() {
    std::unique_lock lock(mutex_);
    if (bug::kRounds > 1) ++waiting_;
    if (bug::kFixed) {
      while (count_ == 0) filled_.wait(lock);
    } else {
      if (count_ == 0) filled_.wait(lock);
    }
    bug::require(count_ > 0, "get finds an element");
    return elements_[--count_];
  }
  int waiting() {
    std::lock_guard guard(mutex_);
    return waiting_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  int elements_[4] = {};
  int count_ = 0;
  int waiting_ = 0;
};

int main() {
  Buffer buffer;
  std::atomic<int> ready{0};
  const auto meet = [&] {  // in rounds: then its lock is shared
    if (bug::kRounds == 1) return;
    buffer.waiting();
    ++ready;
    bug::await([&] { return ready == 3; });
  };
  std::thread waiting([&] {
    meet();
    buffer.get();
  });
  std::thread late([&] {
    meet();
    buffer.get();
  });
  std::thread producer([&] {
    meet();
    bug::await([&] { return buffer.waiting() == 2; });
    buffer.put(1);
    buffer.put(2);
  });
  waiting.join();
  late.join();
  producer.join();
}
