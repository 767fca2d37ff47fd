// Thread-specific data: a buffer by key, made at the first use and freed when the thread ends.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int freed;

static void drop(void* buffer) {
  free(buffer);
  pthread_mutex_lock(&mutex);
  ++freed;
  pthread_mutex_unlock(&mutex);
}

static int* buffer(void) {
  int* mine = pthread_getspecific(key);
  if (mine == NULL) {
    mine = calloc(1, sizeof *mine);
    pthread_setspecific(key, mine);
  }
  return mine;
}

static void* work(void* unused) {
  for (int i = 0; i < 100; ++i) ++*buffer();
  return unused;
}

int main(void) {
  pthread_key_create(&key, drop);
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return freed != 3;
}
