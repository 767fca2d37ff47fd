// The finding of a program that runs on is printed before its end: this one runs until it reads
// the report. At the end there is one line about it, and the summary.
// RUN: %cc %s %steps -o %t
// RUN: touch %t.report
// RUN: %exits 66 %isosan run --analysis velodrome -- %t %t.report 2> %t.report
// RUN: FileCheck %s < %t.report
// CHECK: WARNING: IsoSan: atomicity violation (region add)
// CHECK-NOT: WARNING
// CHECK: the program has read it
// CHECK-NOT: WARNING
// CHECK: IsoSan: reported above: add [velodrome], seen once
// CHECK: SUMMARY: IsoSan: 1 finding
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include "file_has.h"
#include "steps.h"

static int value;

__attribute__((noinline)) static void add(void) {
  const int old = value;
  next_step();
  await_step(2);
  value = old + 1;
}

static void* other(void* unused) {
  await_step(1);
  value = 7;
  next_step();
  return unused;
}

int main(int count, char** arguments) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  add();
  pthread_join(thread, 0);
  while (count > 1 && !file_has(arguments[1], "WARNING: IsoSan")) sched_yield();
  fprintf(stderr, "the program has read it\n");
  return 0;
}
