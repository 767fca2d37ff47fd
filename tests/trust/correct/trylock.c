// A lock that is tried until it is there, and a counter of what was tried in vain.
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done, wasted;

static void add(void) {
  int tries = 0;
  while (pthread_mutex_trylock(&mutex) != 0) {
    ++tries;
    sched_yield();
  }
  ++done;
  wasted += tries;
  pthread_mutex_unlock(&mutex);
}

static void* work(void* unused) {
  for (int i = 0; i < 300; ++i) add();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return done != 600;
}
