// A lock for the runtime's own short critical sections. Nothing that waits for another thread of
// the program happens under it.
#pragma once

#include <atomic>
#include <cstdint>

#include "runtime/platform/check.h"
#include "runtime/platform/patience.h"

namespace isosan::rt {

class SpinLock {
 public:
  void lock() {
    for (Patience patience; taken_.exchange(true, std::memory_order_acquire);) {  // order: lock
      while (taken_.load(std::memory_order_relaxed)) patience.wait();
    }
  }
  void unlock() {
    ISOSAN_DEBUG_CHECK(is_taken());
    taken_.store(false, std::memory_order_release);  // order: lock
  }
  bool is_taken() const { return taken_.load(std::memory_order_relaxed); }  // by any thread

 private:
  std::atomic<bool> taken_{false};
};

class SpinGuard {
 public:
  explicit SpinGuard(SpinLock& lock) : lock_(lock) { lock_.lock(); }
  ~SpinGuard() { lock_.unlock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  SpinLock& lock_;
};

}  // namespace isosan::rt
