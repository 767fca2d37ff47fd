// A bounded queue with one mutex and two conditions.
#include <pthread.h>

enum { kSize = 4 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int ring[kSize], first, count, total;

static void put(int value) {
  pthread_mutex_lock(&mutex);
  while (count == kSize) pthread_cond_wait(&not_full, &mutex);
  ring[(first + count++) % kSize] = value;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static int get(void) {
  pthread_mutex_lock(&mutex);
  while (count == 0) pthread_cond_wait(&not_empty, &mutex);
  const int value = ring[first];
  first = (first + 1) % kSize;
  --count;
  total += value;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return value;
}

static void* produce(void* unused) {
  for (int i = 0; i < 100; ++i) put(i);
  return unused;
}
static void* consume(void* unused) {
  for (int i = 0; i < 100; ++i) get();
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], 0, i % 2 ? produce : consume, 0);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  return total != 9900;
}
