// Two phases of a barrier under way at a time: who leaves the first does not come after those that have arrived at the second. The
// log is read in an order all the same; what is said of it is that the transfer was not ordered.
//
// REQUIRES: pass
// RUN: %cxx -std=c++20 %s %steps -o %t
// RUN: not timeout 60 %isosan run --analysis fasttrack -- %t 2>&1 | FileCheck %s
// CHECK: WARNING: IsoSan: data race
// CHECK: {{transfers? of memory between threads (was|were) not ordered}}
#include <barrier>
#include <thread>
#include <utility>

#include "steps.h"

int main() {
  std::barrier barrier(2);
  int value = 0, seen = 0;
  std::thread ahead([&] {
    await_step(1);
    barrier.arrive_and_wait();  // the last of the first phase
    value = 1;
    (void)barrier.arrive();  // at the second
    next_step();
  });
  auto first = barrier.arrive();
  next_step();
  await_step(2);
  barrier.wait(std::move(first));
  seen = value;
  ahead.join();
  return seen == 1 ? 0 : 1;
}
