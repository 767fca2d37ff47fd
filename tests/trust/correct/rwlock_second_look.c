// A cache behind a rwlock: looked up for reading, and again for writing before it is filled.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cache[10], filled;

static int lookup(int key) {
  pthread_rwlock_rdlock(&lock);
  int value = cache[key];
  pthread_rwlock_unlock(&lock);
  if (value != 0) return value;
  pthread_rwlock_wrlock(&lock);
  if (cache[key] == 0) {
    cache[key] = key + 1;
    ++filled;
  }
  value = cache[key];
  pthread_rwlock_unlock(&lock);
  return value;
}

static void* work(void* unused) {
  for (int i = 0; i < 200; ++i) lookup(i % 10);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return filled != 10;
}
