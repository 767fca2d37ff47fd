// The head of a free list is read in one critical section and moved on in another: given out twice.
// finds: velodrome doublechecker marathon atomizer
// blames: take
#include <pthread.h>

#include "steps.h"

static struct {
  pthread_mutex_t mutex;
  int head;
  int next[4];
} pool = {PTHREAD_MUTEX_INITIALIZER, 0, {1, 2, 3, -1}};

static int first(void) {
  pthread_mutex_lock(&pool.mutex);
  const int index = pool.head;
  pthread_mutex_unlock(&pool.mutex);
  return index;
}
static void remove_first(int index) {
  pthread_mutex_lock(&pool.mutex);
  pool.head = pool.next[index];
  pthread_mutex_unlock(&pool.mutex);
}

int take(void) {
  const int index = first();
  let_other_in();
  remove_first(index);
  return index;
}

static void* other(void* index) {
  await_step(1);
  *(int*)index = take();
  next_step();
  return 0;
}

int main(void) {
  pthread_t thread;
  int theirs;
  pthread_create(&thread, 0, other, &theirs);
  const int mine = take();
  pthread_join(thread, 0);
  return mine != theirs;
}
