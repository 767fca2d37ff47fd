// An object that was allocated before there were threads belongs to its maker all the same: init() allocates the map and uses it, then
// two add() interleave. Every way to run marathon finds it.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: not timeout 60 %isosan run --analysis marathon -- %t > %t.online 2>&1
// RUN: FileCheck %s < %t.online
// RUN: not timeout 60 %isosan run --analysis marathon --strict -- %t > %t.strict 2>&1
// RUN: FileCheck %s < %t.strict
// RUN: not timeout 60 %isosan run --analysis marathon --sets %t.toml -- %t > %t.sets 2>&1
// RUN: FileCheck %s < %t.sets
// RUN: timeout 60 %isosan record --units -o %t.trace -- %t
// RUN: not %isosan check --analysis marathon %t.trace > %t.units
// RUN: FileCheck %s < %t.units
// RUN: timeout 60 %isosan record -o %t.trace -- %t
// RUN: not %isosan check --analysis marathon %t.trace > %t.full
// RUN: FileCheck %s < %t.full
// CHECK: atomic-set violation (Set)
// CHECK: Set::add (thread 1) before Set::add (thread 2) before Set::add (thread 1)
// CHECK: SUMMARY: IsoSan: 1 finding
#include <mutex>
#include <thread>

#include "steps.h"

struct Map {
  int n;
};

class Set {
 public:
  void init() {
    map_ = new Map;
    map_->n = 0;
  }
  [[gnu::noinline]] void add(bool slow) {
    const int n = size();
    if (slow) {
      next_step();
      await_step(2);
    }
    const std::lock_guard lock(mutex_);
    map_->n = n + 1;
  }

 private:
  int size() {
    const std::lock_guard lock(mutex_);
    return map_->n;
  }
  std::mutex mutex_;
  Map* map_ = nullptr;
};

int main() {
  Set set;
  set.init();
  std::thread first([&] { set.add(true); });
  std::thread second([&] {
    await_step(1);
    set.add(false);
    next_step();
  });
  first.join();
  second.join();
}
