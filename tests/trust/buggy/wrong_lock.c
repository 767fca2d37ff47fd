// One variable under two different locks: a data race and a lost update.
// finds: velodrome doublechecker marathon atomizer fasttrack
// blames: add_left
#include <pthread.h>

#include "steps.h"

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int total;

void add_left(int n) {
  pthread_mutex_lock(&left);
  const int before = total;
  let_other_in();
  total = before + n;
  pthread_mutex_unlock(&left);
}

void add_right(int n) {
  pthread_mutex_lock(&right);
  total += n;
  pthread_mutex_unlock(&right);
}

static void* other(void* unused) {
  await_step(1);
  add_right(1);
  next_step();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  add_left(1);
  pthread_join(thread, 0);
  return total == 2;
}
