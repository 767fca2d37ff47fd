// Peterson's lock for two threads, of sequentially consistent atomics.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int count;

static void lock(int me) {
  atomic_store(&wants[me], 1);
  atomic_store(&turn, 1 - me);
  while (atomic_load(&wants[1 - me]) && atomic_load(&turn) != me) sched_yield();
}
static void unlock(int me) { atomic_store(&wants[me], 0); }

static void add(int me) {
  lock(me);
  ++count;
  unlock(me);
}

static void* work(void* me) {
  for (int i = 0; i < 200; ++i) add((int)(long)me);
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, (void*)1);
  work(0);
  pthread_join(other, 0);
  return count != 400;
}
