// A wait with a deadline, in a loop over the condition.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int level;

static void raise_level(void) {
  pthread_mutex_lock(&mutex);
  ++level;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
}

static int await_level(int goal) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 3600;
  int status = 0;
  pthread_mutex_lock(&mutex);
  while (level < goal && status == 0) status = pthread_cond_timedwait(&changed, &mutex, &limit);
  pthread_mutex_unlock(&mutex);
  return status;
}

static void* work(void* status) {
  for (int i = 1; i <= 100; ++i) *(int*)status |= await_level(i);
  return 0;
}

int main(void) {
  pthread_t waiters[2];
  int status[2] = {0, 0};
  for (int i = 0; i < 2; ++i) pthread_create(&waiters[i], 0, work, &status[i]);
  for (int i = 0; i < 100; ++i) raise_level();
  for (int i = 0; i < 2; ++i) pthread_join(waiters[i], 0);
  return status[0] || status[1];
}
