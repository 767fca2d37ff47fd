// Detached threads; the last one to finish wakes the main thread.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_done = PTHREAD_COND_INITIALIZER;
static int running = 3, result;

static void finish(int value) {
  pthread_mutex_lock(&mutex);
  result += value;
  if (--running == 0) pthread_cond_signal(&all_done);
  pthread_mutex_unlock(&mutex);
}

static int await_result(void) {
  pthread_mutex_lock(&mutex);
  while (running > 0) pthread_cond_wait(&all_done, &mutex);
  const int value = result;
  pthread_mutex_unlock(&mutex);
  return value;
}

static void* work(void* unused) {
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += i;
  finish(sum);
  return unused;
}

int main(void) {
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
  }
  return await_result() != 3 * 4950;
}
