// A compare-exchange that protects the count but not the sum read before it.
// finds: velodrome doublechecker atomizer
// blames: add
#include <pthread.h>
#include <stdatomic.h>

#include "steps.h"

static atomic_int count, sum;

void add(int value) {
  const int before = atomic_load(&sum);
  let_other_in();
  int seen = atomic_load(&count);
  while (!atomic_compare_exchange_weak(&count, &seen, seen + 1)) {
  }
  atomic_store(&sum, before + value);
}

static void* other(void* unused) {
  await_step(1);
  add(5);
  next_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  add(10);
  pthread_join(thread, 0);
  return sum == 15;
}
