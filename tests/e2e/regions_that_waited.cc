// A function that waits for another thread, where nobody could see that beforehand, is no region from there on. The summary
// names it.
// REQUIRES: pass || tsan
// RUN: %cxx %s %steps -o %t
// RUN: for how in "" --no-quiet; do \
// RUN:   %isosan run --regions methods $how --json %t.json -- %t 2>&1 | FileCheck %s || exit 1; \
// RUN:   tr -d '\n ' < %t.json | grep -q '"waited":\[[^]]*"Box::take"' || exit 1; \
// RUN: done
// CHECK: IsoSan: region{{s?}} only until {{it|they}} waited for other threads:{{.*}} Box::take
// CHECK: SUMMARY: IsoSan: 0 findings
#include <condition_variable>
#include <mutex>
#include <thread>

#include "steps.h"

class Box {
 public:
  [[gnu::noinline]] int take() {
    std::unique_lock<std::mutex> lock(mutex_);
    ++asked_;
    next_step();
    until_full(*this, lock);
    return content_;
  }
  [[gnu::noinline]] void put(int content) {
    const std::lock_guard<std::mutex> lock(mutex_);
    content_ = content;
    full_ = true;
    changed_.notify_one();
  }

 private:
  static void wait(Box& box, std::unique_lock<std::mutex>& lock) {
    while (!box.full_) box.changed_.wait(lock);
  }
  void (*volatile until_full)(Box&, std::unique_lock<std::mutex>&) = wait;
  std::mutex mutex_;
  std::condition_variable changed_;
  int asked_ = 0, content_ = 0;
  bool full_ = false;
};

int main() {
  Box box;
  int taken = 0;
  std::thread taker([&] { taken = box.take(); });
  await_step(1);
  box.put(7);
  taker.join();
  return taken == 7 ? 0 : 1;
}
