// A condition wait cuts a unit of work in two: take() looks, waits, and looks again at what put() changed meanwhile.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: timeout 60 %isosan run --analysis marathon -- %t > %t.out 2>&1
// RUN: FileCheck --check-prefix=NONE %s < %t.out
// NONE: SUMMARY: IsoSan: 0 findings
// RUN: not timeout 60 %isosan run --analysis marathon --no-split-at-wait -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: atomic-set violation (Buffer)
// CHECK: SUMMARY: IsoSan: 1 finding
#include <condition_variable>
#include <mutex>
#include <thread>

#include "steps.h"

class Buffer {
 public:
  [[gnu::noinline]] void put(int value) {
    std::lock_guard lock(mutex_);
    value_ = value;
    ++count_;
    changed_.notify_one();
  }
  [[gnu::noinline]] int take() {
    std::unique_lock lock(mutex_);
    while (count_ == 0) {
      next_step();  // put() cannot go on before the wait gives the lock up
      changed_.wait(lock);
    }
    --count_;
    return value_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
  int value_ = 0;
};

int main() {
  Buffer buffer;
  std::thread producer([&] {
    await_step(1);
    buffer.put(1);
  });
  buffer.take();
  producer.join();
}
