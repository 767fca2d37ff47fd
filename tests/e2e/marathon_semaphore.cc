// Waiting for a semaphore ends a unit of work and begins another. What it reads again behind the wait is in the log again: the rest of the unit
// is a lost update by itself.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: not timeout 60 %isosan run --analysis marathon -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: timeout 60 %isosan record --units -o %t.trace -- %t
// RUN: not %isosan check --analysis marathon %t.trace > %t.out
// RUN: FileCheck %s < %t.out
// CHECK: atomic-set violation (Counter)
// CHECK: Counter::add_posted (thread 1) before Counter::add (thread 0) before Counter::add_posted (thread 1)
// CHECK: SUMMARY: IsoSan: 1 finding
#include <semaphore.h>

#include <thread>

#include "steps.h"

class Counter {
 public:
  Counter() { sem_init(&posted_, 0, 1); }
  [[gnu::noinline]] void add() { ++n_, ++m_; }
  [[gnu::noinline]] void add_posted() {
    const int before = n_;
    sem_wait(&posted_);
    const int n = n_;
    next_step();
    await_step(2);
    n_ = n + 1;
    seen_ = before;
  }

 private:
  sem_t posted_;
  int n_ = 0, m_ = 0, seen_ = 0;
};

int main() {
  Counter counter;
  std::thread other([&] { counter.add_posted(); });
  await_step(1);
  counter.add();
  next_step();
  other.join();
}
