// A counter of each thread's own, added up under a lock at the end.
#include <pthread.h>

static __thread int mine;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void count(void) { ++mine; }

static void flush(void) {
  pthread_mutex_lock(&mutex);
  total += mine;
  pthread_mutex_unlock(&mutex);
  mine = 0;
}

static void* work(void* unused) {
  for (int i = 0; i < 300; ++i) count();
  flush();
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return total != 900;
}
