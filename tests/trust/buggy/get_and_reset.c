// A counter is read and then set to zero: hits in between are lost.
// finds: velodrome doublechecker atomizer
// blames: drain
#include <pthread.h>
#include <stdatomic.h>

#include "steps.h"

static atomic_int hits;

void hit(void) { atomic_fetch_add(&hits, 1); }

int drain(void) {
  const int now = atomic_load(&hits);
  let_other_in();
  atomic_store(&hits, 0);
  return now;
}

static void* other(void* unused) {
  await_step(1);
  hit();
  next_step();
  return unused;
}

int main(void) {
  hit();
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  const int drained = drain();
  pthread_join(thread, 0);
  return drained == 2;
}
