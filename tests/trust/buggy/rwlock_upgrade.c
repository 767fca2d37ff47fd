// Looked at under the read lock, written under the write lock without a second look.
// finds: velodrome doublechecker marathon atomizer
// blames: claim
#include <pthread.h>

#include "steps.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int owner;

int claim(int me) {
  pthread_rwlock_rdlock(&lock);
  const int taken = owner != 0;
  pthread_rwlock_unlock(&lock);
  if (taken) return 0;
  let_other_in();
  pthread_rwlock_wrlock(&lock);
  owner = me;
  pthread_rwlock_unlock(&lock);
  return 1;
}

static void* other(void* won) {
  await_step(1);
  *(int*)won = claim(2);
  next_step();
  return 0;
}

int main(void) {
  pthread_t thread;
  int won;
  pthread_create(&thread, 0, other, &won);
  const int mine = claim(1);
  pthread_join(thread, 0);
  return won + mine != 2;
}
