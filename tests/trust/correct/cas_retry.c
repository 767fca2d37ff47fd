// A maximum kept by a compare-exchange that is tried again until it succeeds.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int maximum, sum;

static void offer(int value) {
  int seen = atomic_load(&maximum);
  while (seen < value && !atomic_compare_exchange_weak(&maximum, &seen, value)) {
  }
}

static void add(int value) {
  int seen = atomic_load_explicit(&sum, memory_order_relaxed);
  while (!atomic_compare_exchange_weak(&sum, &seen, seen + value)) {
  }
}

static void* work(void* unused) {
  for (int i = 1; i <= 300; ++i) {
    offer(i);
    add(1);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return maximum != 300 || sum != 600;
}
