#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void* work(void* unused) {
  for (int i = 0; i < 100; ++i) {
    pthread_mutex_lock(&mutex);
    value++;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  work(0);
  pthread_join(other, 0);
  printf("value %d\n", value);
  return 0;
}
