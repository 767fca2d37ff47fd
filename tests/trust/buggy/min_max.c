// Minimum and maximum are updated in two critical sections.
// finds: velodrome doublechecker marathon atomizer
// blames: add_sample
#include <pthread.h>

#include "steps.h"

static struct {
  pthread_mutex_t mutex;
  int min, max;
} seen = {PTHREAD_MUTEX_INITIALIZER, 100, -100};

void add_sample(int value) {
  pthread_mutex_lock(&seen.mutex);
  if (value < seen.min) seen.min = value;
  pthread_mutex_unlock(&seen.mutex);
  let_other_in();
  pthread_mutex_lock(&seen.mutex);
  if (value > seen.max) seen.max = value;
  pthread_mutex_unlock(&seen.mutex);
}

int spread(void) {
  pthread_mutex_lock(&seen.mutex);
  const int result = seen.max - seen.min;
  pthread_mutex_unlock(&seen.mutex);
  return result;
}

static void* other(void* result) {
  await_step(1);
  *(int*)result = spread();
  next_step();
  return 0;
}

int main(void) {
  pthread_t thread;
  int result;
  pthread_create(&thread, 0, other, &result);
  add_sample(5);
  pthread_join(thread, 0);
  return result >= 0;
}
