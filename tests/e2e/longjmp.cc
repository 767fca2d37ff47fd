// A region left by longjmp ends where setjmp returns again: what comes after is outside it. (The __tsan_* front
// learns of it only when an outer function exits: instrumentation.md.)
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: %isosan run --atomic jumped -- %t 2>&1 | FileCheck %s
// CHECK: 1 function is a region, 1 of them entered
// CHECK: SUMMARY: IsoSan: 0 findings
#include <csetjmp>
#include <cstdio>
#include <thread>

#include "steps.h"

int value;
std::jmp_buf back;

[[gnu::noinline]] void jumped() {
  value = 2;
  std::longjmp(back, 1);
}
[[gnu::noinline]] void in_between() { ++value; }

int main() {
  std::thread other([] {
    await_step(1);
    in_between();
    next_step();
  });
  if (setjmp(back) == 0) jumped();
  next_step();
  await_step(2);
  std::printf("%d\n", value);
  other.join();
}
