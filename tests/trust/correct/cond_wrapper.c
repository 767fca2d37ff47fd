// A one-line wrapper around pthread_cond_wait, in a loop over the condition.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items, taken;

static inline void my_cond_wait(void) { pthread_cond_wait(&changed, &mutex); }

static void put(void) {
  pthread_mutex_lock(&mutex);
  ++items;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

static void get(void) {
  pthread_mutex_lock(&mutex);
  while (items == 0) my_cond_wait();
  --items;
  ++taken;
  pthread_mutex_unlock(&mutex);
}

static void* consume(void* unused) {
  for (int i = 0; i < 100; ++i) get();
  return unused;
}

int main(void) {
  pthread_t consumers[2];
  for (int i = 0; i < 2; ++i) pthread_create(&consumers[i], 0, consume, 0);
  for (int i = 0; i < 200; ++i) put();
  for (int i = 0; i < 2; ++i) pthread_join(consumers[i], 0);
  return taken != 200;
}
