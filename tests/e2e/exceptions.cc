// A region left by an exception ends there: what comes after is outside it.
// RUN: %cxx %s %steps -o %t
// RUN: %isosan run --atomic thrown -- %t 2>&1 | FileCheck %s
// CHECK: 1 function is a region, 1 of them entered
// CHECK: SUMMARY: IsoSan: 0 findings
#include <cstdio>
#include <thread>

#include "steps.h"

int value;

[[gnu::noinline]] void thrown() {
  value = 1;
  throw 1;
}
[[gnu::noinline]] void in_between() { ++value; }

int main() {
  std::thread other([] {
    await_step(1);
    in_between();
    next_step();
  });
  try {
    thrown();
  } catch (int) {
  }
  next_step();
  await_step(2);
  std::printf("%d\n", value);
  other.join();
}
