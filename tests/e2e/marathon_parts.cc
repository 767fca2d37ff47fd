// What ends a unit of work besides a wait, and who is none: a function that prepares, starts a thread, and reads its result behind the
// join; two threads in phases parted by a barrier; a worker whose whole life is a private function. None is a violation. The function
// that a worker calls in between is one still.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: timeout 60 %isosan run --analysis marathon -- %t > %t.out 2>&1
// RUN: FileCheck --check-prefix=NONE %s < %t.out
// RUN: timeout 60 %isosan record --units -o %t.trace -- %t > %t.out 2>&1
// RUN: timeout 60 %isosan check --analysis marathon %t.trace > %t.out 2>&1
// RUN: FileCheck --check-prefix=NONE %s < %t.out
// NONE: SUMMARY: IsoSan: 0 findings
// With the paper's setting, and for each switch; in a recording as online.
// RUN: not timeout 60 %isosan run --analysis marathon --no-split-at-fork --no-split-at-join --no-split-at-barrier -- %t > %t.out 2>&1
// RUN: FileCheck --check-prefix=WHOLE %s < %t.out
// RUN: not timeout 60 %isosan check --analysis marathon --no-split-at-fork --no-split-at-join --no-split-at-barrier %t.trace > %t.out
// RUN: FileCheck --check-prefix=WHOLE %s < %t.out
// WHOLE-DAG: atomic-set violation (Array)
// WHOLE-DAG: atomic-set violation (Grid)
// WHOLE: SUMMARY: IsoSan: 2 findings
// RUN: not %isosan check --analysis marathon --no-split-at-barrier %t.trace > %t.out
// RUN: FileCheck --check-prefix=BARRIER %s < %t.out
// BARRIER-NOT: atomic-set violation (Array)
// BARRIER: atomic-set violation (Grid)
// BARRIER: SUMMARY: IsoSan: 1 finding
// RUN: %isosan check --analysis marathon --no-split-at-fork %t.trace
// RUN: %isosan check --analysis marathon --no-split-at-join %t.trace
// RUN: %isosan check --analysis marathon --no-split-at-wait %t.trace
// RUN: %cxx -DUNIT %s %steps -o %t.unit
// RUN: not timeout 60 %isosan run --analysis marathon -- %t.unit > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: atomic-set violation (Worker)
// CHECK: SUMMARY: IsoSan: 1 finding
#include <pthread.h>

#include <thread>

#include "steps.h"

class Array {
 public:
  [[gnu::noinline]] int sort() {
    first_ = 2;
    std::thread half([this] { sort_half(); });
    half.join();
    return first_;
  }
  [[gnu::noinline]] void sort_half() { first_ = 1; }

 private:
  int first_ = 0;
};

class Grid {
 public:
  Grid() { pthread_barrier_init(&barrier_, nullptr, 2); }
  [[gnu::noinline]] int step(int me) {
    cells_[me] = me;
    pthread_barrier_wait(&barrier_);
    return cells_[1 - me];
  }

 private:
  pthread_barrier_t barrier_;
  long cells_[2] = {0, 0};
};

class Worker {
 public:
  void run() {
    std::thread thread([this] { work(); });
    await_step(1);
    close();
    next_step();
    thread.join();
  }

 private:
  [[gnu::noinline]] void work() {
#ifdef UNIT
    look_twice();
#else
    seen_ = closed_;
    next_step();
    await_step(2);
    seen_ = closed_;
#endif
  }

 public:
  [[gnu::noinline]] void look_twice() {
    seen_ = closed_;
    next_step();
    await_step(2);
    seen_ = closed_;
  }
  [[gnu::noinline]] void close() { closed_ = true; }

 private:
  volatile bool closed_ = false;
  volatile bool seen_ = false;
};

int main() {
  Array array;
  array.sort();
  Grid grid;
  std::thread other([&] { grid.step(1); });
  grid.step(0);
  other.join();
  Worker worker;
  worker.run();
}
