// Attributes on functions: ISOSAN_ATOMIC makes a region, ISOSAN_NOT_ATOMIC takes one away; the command line has the
// last word. (gcc's front does not see attributes: instrumentation.md.)
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: sh -c '%isosan run --regions annotated -- %t atomic; test $? -eq 66' 2>&1 | FileCheck %s
// CHECK: atomicity violation (region Counter::add)
// CHECK: 1 function is a region, 1 of them entered
// RUN: %isosan run --regions annotated --not-atomic 'Counter::*' -- %t atomic
// RUN: %isosan run -- %t not_atomic
// RUN: sh -c '%isosan run --atomic Counter::add_loosely -- %t not_atomic; test $? -eq 66'
#include <isosan/isosan.h>

#include <cstring>
#include <thread>

#include "steps.h"

class Counter {
 public:
  ISOSAN_ATOMIC __attribute__((noinline)) void add(int n) {
    const int before = value_;
    next_step();
    await_step(2);
    value_ = before + n;
  }
  ISOSAN_NOT_ATOMIC __attribute__((noinline)) void add_loosely(int n) {
    const int before = value_;
    next_step();
    await_step(2);
    value_ = before + n;
  }
  ISOSAN_NOT_ATOMIC __attribute__((noinline)) void set(int n) { value_ = n; }

 private:
  int value_ = 0;
};

Counter counter;

int main(int, char** argv) {
  std::thread other([] {
    await_step(1);
    counter.set(7);
    next_step();
  });
  if (std::strcmp(argv[1], "atomic") == 0) {
    counter.add(1);
  } else {
    counter.add_loosely(1);
  }
  other.join();
}
