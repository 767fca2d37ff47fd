// The flag is set in one critical section, the data in the next: a reader finds the flag without data.
// finds: velodrome doublechecker marathon atomizer
// blames: publish
#include <pthread.h>

#include "steps.h"

static struct {
  pthread_mutex_t mutex;
  int ready, data;
} box = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

void publish(int value) {
  pthread_mutex_lock(&box.mutex);
  box.ready = 1;
  pthread_mutex_unlock(&box.mutex);
  let_other_in();
  pthread_mutex_lock(&box.mutex);
  box.data = value;
  pthread_mutex_unlock(&box.mutex);
}

int read_box(void) {
  pthread_mutex_lock(&box.mutex);
  const int value = box.ready ? box.data : -1;
  pthread_mutex_unlock(&box.mutex);
  return value;
}

static void* other(void* value) {
  await_step(1);
  *(int*)value = read_box();
  next_step();
  return 0;
}

int main(void) {
  pthread_t thread;
  int seen;
  pthread_create(&thread, 0, other, &seen);
  publish(5);
  pthread_join(thread, 0);
  return seen == 5;
}
