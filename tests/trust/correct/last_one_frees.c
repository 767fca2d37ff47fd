// An object with its own mutex and condition. The thread that gives up the last reference destroys and frees it.
#include <pthread.h>
#include <stdlib.h>

struct object {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int references, value;
};

static void give_up(struct object* o) {
  pthread_mutex_lock(&o->mutex);
  const int last = --o->references == 0;
  pthread_cond_broadcast(&o->changed);
  pthread_mutex_unlock(&o->mutex);
  if (!last) return;
  pthread_mutex_destroy(&o->mutex);
  pthread_cond_destroy(&o->changed);
  free(o);
}

static void* increment(void* p) {
  struct object* o = p;
  pthread_mutex_lock(&o->mutex);
  ++o->value;
  pthread_cond_broadcast(&o->changed);
  while (o->value < 3) pthread_cond_wait(&o->changed, &o->mutex);
  pthread_mutex_unlock(&o->mutex);
  give_up(o);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  struct object* o = malloc(sizeof *o);
  pthread_mutex_init(&o->mutex, 0);
  pthread_cond_init(&o->changed, 0);
  o->references = 3;
  o->value = 0;
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, increment, o);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return 0;
}
