// Double-checked locking with an atomic pointer.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct config {
  int port, backlog;
};
static _Atomic(struct config*) current;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct config* get(void) {
  struct config* c = atomic_load_explicit(&current, memory_order_acquire);
  if (c != NULL) return c;
  pthread_mutex_lock(&mutex);
  c = atomic_load_explicit(&current, memory_order_relaxed);
  if (c == NULL) {
    c = malloc(sizeof *c);
    c->port = 80;
    c->backlog = 5;
    atomic_store_explicit(&current, c, memory_order_release);
  }
  pthread_mutex_unlock(&mutex);
  return c;
}

static void* work(void* unused) {
  for (int i = 0; i < 100; ++i) {
    if (get()->port != 80) abort();
  }
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return get()->backlog != 5;
}
