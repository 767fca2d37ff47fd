// A log each of whose member functions takes its lock: what a caller does with two of them can be
// stepped into.
#pragma once

#include <mutex>

class Log {
 public:
  [[gnu::noinline]] int size() {
    std::lock_guard lock(mutex_);
    return size_;
  }
  [[gnu::noinline]] int last() {
    std::lock_guard lock(mutex_);
    return lines_[size_ - 1];
  }
  [[gnu::noinline]] void add(int line) {
    std::lock_guard lock(mutex_);
    lines_[size_++] = line;
  }

 private:
  std::mutex mutex_;
  int size_ = 0;
  int lines_[8] = {};
};
