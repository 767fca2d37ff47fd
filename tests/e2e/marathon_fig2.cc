// Fig. 2 of the Marathon paper: three units of work on x, y and z, each locked access by access. Any two of them are in
// order; the three together are a cycle.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: not timeout 60 %isosan run --analysis marathon --stats -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: timeout 60 %isosan record -o %t.trace -- %t
// RUN: not %isosan check --analysis marathon --stats %t.trace > %t.same
// RUN: FileCheck %s < %t.same
// CHECK: WARNING: IsoSan: atomic-set violation (Triple)
// CHECK-DAG: Triple::x
// CHECK-DAG: Triple::y
// CHECK-DAG: Triple::z
// CHECK: STATS: marathon cycles_of_2 0
// CHECK: STATS: marathon cycles_of_3 1
// CHECK: SUMMARY: IsoSan: 1 finding
//
// No race: what a race detector has to say is nothing.
// RUN: %isosan check --analysis fasttrack %t.trace | FileCheck --check-prefix=NONE %s
// NONE: SUMMARY: IsoSan: 0 findings
#include <mutex>
#include <thread>

#include "steps.h"

class Triple {
 public:
  [[gnu::noinline]] int first() {  // u1
    lock();
    x = 1;
    unlock();
    next_step();
    await_step(3);
    std::lock_guard guard(mutex_);
    return z;
  }
  [[gnu::noinline]] void second() {  // u2
    await_step(1);
    lock();
    y = x;
    unlock();
    next_step();
  }
  [[gnu::noinline]] void third() {  // u3
    await_step(2);
    lock();
    z = y;
    unlock();
    next_step();
  }

 private:
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

  std::mutex mutex_;
  int x = 0;
  int y = 0;
  int z = 0;
};

int main() {
  Triple triple;
  std::thread two([&] { triple.second(); });
  std::thread three([&] { triple.third(); });
  triple.first();
  two.join();
  three.join();
}
