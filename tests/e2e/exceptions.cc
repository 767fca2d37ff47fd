// A region left by an exception, and one left by longjmp, ends there: what comes after is outside it.
// RUN: %cxx %s %steps -o %t
// RUN: %isosan run --atomic 'thrown' --atomic 'jumped' -- %t 2>&1 | FileCheck %s
// CHECK: 2 functions are regions, 2 of them were entered
// CHECK: SUMMARY: IsoSan: 0 findings
#include <csetjmp>
#include <cstdio>
#include <thread>

#include "steps.h"

int value;
std::jmp_buf back;

[[gnu::noinline]] void thrown() {
  value = 1;
  throw 1;
}
[[gnu::noinline]] void jumped() {
  value = 2;
  std::longjmp(back, 1);
}
[[gnu::noinline]] void in_between() { ++value; }

int main() {
  std::thread other([] {
    for (int step = 1; step <= 3; step += 2) {
      await_step(step);
      in_between();
      next_step();
    }
  });
  try {
    thrown();
  } catch (int) {
  }
  next_step();
  await_step(2);
  std::printf("%d\n", value);
  if (setjmp(back) == 0) jumped();
  next_step();
  await_step(4);
  std::printf("%d\n", value);
  other.join();
}
