// Tickets are checked by one atomic operation and taken by another: one is sold too many.
// finds: velodrome doublechecker atomizer
// blames: sell
#include <pthread.h>
#include <stdatomic.h>

#include "steps.h"

static atomic_int tickets = 1;

int sell(void) {
  if (atomic_load(&tickets) == 0) return 0;
  let_other_in();
  atomic_fetch_sub(&tickets, 1);
  return 1;
}

static void* other(void* unused) {
  await_step(1);
  sell();
  next_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  sell();
  pthread_join(thread, 0);
  return tickets == 0;
}
