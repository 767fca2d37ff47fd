// A reference count: the last one who lets go frees the object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
  atomic_int references;
  int payload;
};

static struct object* ref(struct object* o) {
  atomic_fetch_add_explicit(&o->references, 1, memory_order_relaxed);
  return o;
}
static void unref(struct object* o) {
  if (atomic_fetch_sub_explicit(&o->references, 1, memory_order_acq_rel) == 1) free(o);
}

static void use(struct object* o) {
  struct object* mine = ref(o);
  if (mine->payload != 7) abort();
  unref(mine);
}

static void* work(void* o) {
  for (int i = 0; i < 100; ++i) use(o);
  unref(o);
  return 0;
}

int main(void) {
  for (int round = 0; round < 5; ++round) {
    struct object* o = malloc(sizeof *o);
    atomic_init(&o->references, 2);
    o->payload = 7;
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, o);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  }
  return 0;
}
