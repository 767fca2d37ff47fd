// Two threads draw the same number: read, then increment, in two critical sections.
// finds: velodrome doublechecker marathon atomizer
// blames: next_id
#include <pthread.h>

#include "steps.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int last_id;

static int get(void) {
  pthread_mutex_lock(&mutex);
  const int id = last_id;
  pthread_mutex_unlock(&mutex);
  return id;
}

static void increment(void) {
  pthread_mutex_lock(&mutex);
  ++last_id;
  pthread_mutex_unlock(&mutex);
}

int next_id(void) {
  const int id = get() + 1;
  let_other_in();
  increment();
  return id;
}

static void* other(void* id) {
  await_step(1);
  *(int*)id = next_id();
  next_step();
  return 0;
}

int main(void) {
  pthread_t thread;
  int theirs;
  pthread_create(&thread, 0, other, &theirs);
  const int mine = next_id();
  pthread_join(thread, 0);
  return mine != theirs;
}
