// A spin lock made of an atomic flag.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int count, twice;

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) sched_yield();
}
static void unlock(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

static void add(void) {
  lock();
  ++count;
  twice += 2;
  unlock();
}

static void* work(void* unused) {
  for (int i = 0; i < 300; ++i) add();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return count != 600 || twice != 1200;
}
