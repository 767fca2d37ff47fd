// A counter without any lock: a data race and a lost update.
// finds: velodrome doublechecker marathon atomizer fasttrack
// blames: add
#include <pthread.h>

#include "steps.h"

static int count;

void add(void) {
  const int before = count;
  let_other_in();
  count = before + 1;
}

static void* other(void* unused) {
  await_step(1);
  add();
  next_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  add();
  pthread_join(thread, 0);
  return count == 2;
}
