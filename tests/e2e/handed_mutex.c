// A default mutex that one thread locks and another unlocks, as a semaphore: POSIX does not define it, glibc allows it. The unlock
// orders what follows behind it, for every analysis, live and from a trace, whoever decides which thread runs.
// RUN: %cc %s -o %t
// RUN: for analysis in velodrome aerodrome atomsanitizer doublechecker atomizer fasttrack singletrack marathon; do \
// RUN:   for options in "" --strict "--shuffle 1" "--shuffle 2" "--shuffle 3"; do \
// RUN:     timeout 60 %isosan run --analysis $analysis $options -- %t > %t.out 2>&1 || { cat %t.out; exit 1; }; \
// RUN:     FileCheck %s < %t.out || exit 1; \
// RUN:   done; \
// RUN: done
// RUN: for options in "" --full "--shuffle 4"; do \
// RUN:   timeout 60 %isosan record $options -o %t.trace -- %t || exit 1; \
// RUN:   %isosan trace convert %t.trace -o %t.linear.trace || exit 1; \
// RUN:   for analysis in velodrome aerodrome atomsanitizer doublechecker atomizer fasttrack singletrack marathon; do \
// RUN:     %isosan check --analysis $analysis %t.trace | FileCheck --check-prefix=CLEAN %s || exit 1; \
// RUN:     %isosan check --analysis $analysis %t.linear.trace || exit 1; \
// RUN:   done; \
// RUN: done
// RUN: timeout 60 %isosan record --units -o %t.trace -- %t
// RUN: %isosan check --analysis marathon %t.trace
// RUN: timeout 60 %isosan hunt --max-schedules 20 -o %t.hunt -- %t
// CHECK-NOT: deadlock
// CHECK-DAG: {{^}}12{{$}}
// CHECK-DAG: SUMMARY: IsoSan: 0 findings
// CLEAN: SUMMARY: IsoSan: 0 findings{{$}}
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* add_and_give(void* argument) {
  ++count;
  pthread_mutex_unlock(&mutex);
  return argument;
}
static void* take_add_and_give(void* argument) {
  pthread_mutex_lock(&mutex);
  return add_and_give(argument);
}

int main(void) {
  for (int i = 0; i < 3; ++i) {
    pthread_t giver, taker;
    pthread_mutex_lock(&mutex);
    ++count;
    pthread_create(&giver, NULL, add_and_give, NULL);
    pthread_create(&taker, NULL, take_add_and_give, NULL);
    pthread_mutex_lock(&mutex);  // until somebody has unlocked it for this thread
    ++count;
    pthread_mutex_unlock(&mutex);
    pthread_join(giver, NULL);
    pthread_join(taker, NULL);
  }
  printf("%d\n", count);
  return count == 12 ? 0 : 1;
}
