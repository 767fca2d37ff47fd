// A pair that the reader reads in one critical section, and the writer writes in two.
// finds: velodrome doublechecker marathon atomizer
// blames: set_range
#include <pthread.h>

#include "steps.h"

static struct {
  pthread_mutex_t mutex;
  int low, high;
} range = {PTHREAD_MUTEX_INITIALIZER, 0, 1};

void set_range(int low, int high) {
  pthread_mutex_lock(&range.mutex);
  range.low = low;
  pthread_mutex_unlock(&range.mutex);
  let_other_in();
  pthread_mutex_lock(&range.mutex);
  range.high = high;
  pthread_mutex_unlock(&range.mutex);
}

int width(void) {
  pthread_mutex_lock(&range.mutex);
  const int result = range.high - range.low;
  pthread_mutex_unlock(&range.mutex);
  return result;
}

static void* other(void* result) {
  await_step(1);
  *(int*)result = width();
  next_step();
  return 0;
}

int main(void) {
  pthread_t thread;
  int seen;
  pthread_create(&thread, 0, other, &seen);
  set_range(10, 11);
  pthread_join(thread, 0);
  return seen == 1;
}
