// Lost update of an atomic: a load, then a store of what was computed.
// finds: velodrome doublechecker atomizer
// blames: add
#include <pthread.h>
#include <stdatomic.h>

#include "steps.h"

static atomic_int total;

void add(int amount) {
  const int before = atomic_load(&total);
  let_other_in();
  atomic_store(&total, before + amount);
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
}
