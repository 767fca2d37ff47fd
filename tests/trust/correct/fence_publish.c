// Published with fences: a relaxed flag between a release and an acquire fence.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int data[10];
static atomic_int ready;

static void publish(void) {
  for (int i = 0; i < 10; ++i) data[i] = i;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
}

static int consume(void) {
  while (!atomic_load_explicit(&ready, memory_order_relaxed)) sched_yield();
  atomic_thread_fence(memory_order_acquire);
  int sum = 0;
  for (int i = 0; i < 10; ++i) sum += data[i];
  return sum;
}

static void* reader(void* sum) {
  *(int*)sum = consume();
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int sums[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, reader, &sums[i]);
  publish();
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return sums[0] != 45 || sums[1] != 45;
}
