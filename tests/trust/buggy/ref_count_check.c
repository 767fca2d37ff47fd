// A reference count that is looked at and then decremented: both owners find that they are not the last.
// finds: velodrome doublechecker atomizer
// blames: unref
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "steps.h"

struct object {
  atomic_int references;
};

void unref(struct object* o) {
  if (atomic_load(&o->references) == 1) {
    free(o);
    return;
  }
  let_other_in();
  atomic_fetch_sub(&o->references, 1);
}

static void* other(void* o) {
  await_step(1);
  unref(o);
  next_step();
  return 0;
}

int main(void) {
  struct object* o = malloc(sizeof *o);
  atomic_init(&o->references, 2);
  pthread_t thread;
  pthread_create(&thread, 0, other, o);
  unref(o);
  pthread_join(thread, 0);
  return 0;
}
