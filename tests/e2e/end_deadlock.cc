// A program whose threads wait for each other for ever, in every run. `--end-deadlock` ends it; `isosan test` does that by
// itself, and hunts it, so that the report names the locks.
// RUN: %cxx %s -o %t
// RUN: not --crash %isosan run --end-deadlock --json %t.json -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: grep '"ended_by": *"deadlock"' %t.json
// CHECK: both hold one
// CHECK: SUMMARY: IsoSan: 0 findings; the program was ended by deadlock
//
// RUN: rm -rf %t.results && not %isosan test -o %t.results -- %t > %t.test 2>&1
// RUN: FileCheck --check-prefix=TEST %s < %t.test
// TEST-DAG: hunted {{.*}}: fails: deadlock
// TEST-DAG: 1. deadlock in lock_both
// TEST-DAG: T1 waits for the lock b, held by T2.
// TEST-DAG: T2 waits for the lock a, held by T1.
// TEST-DAG: SUMMARY: IsoSan: 1 finding
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both;
static int count;

static void lock_both(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(first);
  if (pthread_barrier_wait(&both) == PTHREAD_BARRIER_SERIAL_THREAD) {
    puts("both hold one");
    fflush(stdout);
  }
  pthread_mutex_lock(second);
  ++count;
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

int main() {
  pthread_barrier_init(&both, nullptr, 2);
  pthread_t one, other;
  pthread_create(&one, nullptr, [](void*) -> void* { return lock_both(&a, &b), nullptr; }, nullptr);
  pthread_create(&other, nullptr, [](void*) -> void* { return lock_both(&b, &a), nullptr; }, nullptr);
  pthread_join(one, nullptr);
  pthread_join(other, nullptr);
}
