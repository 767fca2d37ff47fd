// The memory of the list's container is the list's, because a unit of the list allocated it.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: not timeout 60 %isosan run --analysis marathon -- %t 2>&1 | FileCheck %s
// RUN: timeout 60 %isosan record --units -o %t.trace -- %t
// RUN: not %isosan check --analysis marathon %t.trace | FileCheck %s
// CHECK: units of work on List are not serializable: List::read_two (thread 0) before List::write_two (thread
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "steps.h"

class List {
 public:
  [[gnu::noinline]] void grow() {
    const std::lock_guard lock(mutex_);
    values_.resize(values_.size() + 100);
    grown_.notify_all();
  }
  [[gnu::noinline]] void read_two() {
    sink_ = values_[80];
    next_step();
    await_step(2);
    sink_ = values_[90];
  }
  [[gnu::noinline]] void write_two() {
    values_[80] = 1;
    values_[90] = 1;
  }

 private:
  std::mutex mutex_;
  std::condition_variable grown_;
  std::vector<long> values_;
  volatile long sink_ = 0;
};

int main() {
  List list;
  for (int i = 0; i < 3; ++i) list.grow();
  std::thread writer([&] {
    await_step(1);
    list.write_two();
    next_step();
  });
  list.read_two();
  writer.join();
}
