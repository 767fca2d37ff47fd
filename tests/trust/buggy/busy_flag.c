// A lock by hand that loads and stores instead of exchanging: both get in.
// finds: velodrome doublechecker atomizer
// blames: try_enter
#include <pthread.h>
#include <stdatomic.h>

#include "steps.h"

static atomic_int busy;

int try_enter(void) {
  if (atomic_load(&busy)) return 0;
  let_other_in();
  atomic_store(&busy, 1);
  return 1;
}

static void* other(void* in) {
  await_step(1);
  *(int*)in = try_enter();
  next_step();
  return 0;
}

int main(void) {
  pthread_t thread;
  int theirs;
  pthread_create(&thread, 0, other, &theirs);
  const int mine = try_enter();
  pthread_join(thread, 0);
  return mine + theirs != 2;
}
