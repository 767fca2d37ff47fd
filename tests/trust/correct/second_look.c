// A second look under the lock: the first, atomic one only decides whether to look properly.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int pending;
static int handled;

static void post(void) {
  pthread_mutex_lock(&mutex);
  atomic_store(&pending, atomic_load(&pending) + 1);
  pthread_mutex_unlock(&mutex);
}

static void handle(void) {
  if (atomic_load(&pending) == 0) return;
  pthread_mutex_lock(&mutex);
  const int now = atomic_load(&pending);
  if (now > 0) {
    atomic_store(&pending, now - 1);
    ++handled;
  }
  pthread_mutex_unlock(&mutex);
}

static void* handler(void* unused) {
  for (int i = 0; i < 200; ++i) handle();
  return unused;
}

int main(void) {
  pthread_t handlers[2];
  for (int i = 0; i < 2; ++i) pthread_create(&handlers[i], 0, handler, 0);
  for (int i = 0; i < 100; ++i) post();
  for (int i = 0; i < 2; ++i) pthread_join(handlers[i], 0);
  return handled + pending != 100;
}
