// SIGUSR1 to isosan prints what it has seen so far. The program gets the signal only if it is ready for it.
// RUN: %cc %s %steps -o %t
// RUN: rm -f %t.report; touch %t.report
// RUN: %isosan run -- %t %t.report 2> %t.report
// RUN: FileCheck %s < %t.report
// CHECK: IsoSan: watched 2 threads in 1 instrumented module
// CHECK-NEXT: SUMMARY: IsoSan: 0 findings so far; the program runs on
// CHECK: the program has read it
// CHECK: SUMMARY: IsoSan: 0 findings{{$}}
//
// RUN: rm -f %t.report; touch %t.report
// RUN: %isosan run -- %t %t.report handles 2> %t.report
// RUN: FileCheck --check-prefix=HANDLED %s < %t.report
// HANDLED: so far; the program runs on
// HANDLED: the program got it
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "file_has.h"

static int value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t got;

static void add(void) {
  pthread_mutex_lock(&mutex);
  ++value;
  pthread_mutex_unlock(&mutex);
}

static void* other(void* unused) {
  add();
  return unused;
}

static void handle(int signal) { got = signal; }

int main(int count, char** arguments) {
  const int handles = count > 2;
  if (handles) signal(SIGUSR1, handle);
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  add();
  pthread_join(thread, 0);
  kill(getppid(), SIGUSR1);
  while (!file_has(arguments[1], "so far")) sched_yield();
  while (handles && !got) sched_yield();
  fprintf(stderr, got ? "the program got it\n" : "the program has read it\n");
  return 0;
}
