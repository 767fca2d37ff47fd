// The same from C: a block between two macros.
// RUN: %cc %s %steps -o %t
// RUN: sh -c '%isosan run --regions annotated -- %t; test $? -eq 66' 2>&1 | FileCheck %s
// CHECK: atomicity violation (region withdraw)
// RUN: gcc -Werror -Wall -I%include -I%S -c %s -o %t.plain.o
// RUN: sh -c '! nm %t.plain.o | grep isosan_'
#include <isosan/isosan.h>
#include <pthread.h>

#include "steps.h"

int balance = 100;

static void *deposit(void *unused) {
  await_step(1);
  balance += 10;
  next_step();
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, deposit, 0);
  ISOSAN_ATOMIC_BEGIN("withdraw");
  const int before = balance;
  next_step();
  await_step(2);
  balance = before - 10;
  ISOSAN_ATOMIC_END();
  pthread_join(other, 0);
}
