// A pointer is published and the object filled in afterwards: a reader sees zeros.
// finds: velodrome doublechecker atomizer fasttrack
// blames: create
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "steps.h"

struct user {
  int id;
};
static _Atomic(struct user*) current;

void create(int id) {
  struct user* user = calloc(1, sizeof *user);
  atomic_store(&current, user);
  let_other_in();
  user->id = id;
}

int current_id(void) { return atomic_load(&current)->id; }

static void* other(void* id) {
  await_step(1);
  *(int*)id = current_id();
  next_step();
  return 0;
}

int main(void) {
  pthread_t thread;
  int seen;
  pthread_create(&thread, 0, other, &seen);
  create(7);
  pthread_join(thread, 0);
  return seen == 7;
}
