// Work that is skipped if somebody else is at it: one try for the lock.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t cleaning = PTHREAD_MUTEX_INITIALIZER;
static int cleaned;
static atomic_int skipped;

static void clean_up(void) {
  if (pthread_mutex_trylock(&cleaning) != 0) {
    atomic_fetch_add_explicit(&skipped, 1, memory_order_relaxed);
    return;
  }
  ++cleaned;
  pthread_mutex_unlock(&cleaning);
}

static void* work(void* unused) {
  for (int i = 0; i < 300; ++i) clean_up();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return cleaned + skipped != 600;
}
