// A thread that takes the place of one that has ended, and is not ordered behind it: what the first wrote is not the second's own.
//
// RUN: %cxx %s %steps -o %t
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: write and write in one deterministic block
#include <atomic>
#include <thread>

#include "steps.h"

int value;

struct LastStep {  // a thread has ended when what it kept for itself has gone
  ~LastStep() { next_step(); }
};

void set_value(int number) {
  static thread_local LastStep step;
  (void)&step;
  value = number;
}

int main() {
  std::thread(set_value, 1).detach();
  await_step(1);
  for (int i = 0; i < 8; ++i) std::thread([] {}).join();
  std::thread(set_value, 2).join();
  return value == 2 ? 0 : 1;
}
