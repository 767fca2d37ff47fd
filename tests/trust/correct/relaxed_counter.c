// Statistics in relaxed counters: read at any time, exact after the join.
#include <pthread.h>
#include <stdatomic.h>

static atomic_long hits, misses;

static void request(int hit) {
  atomic_fetch_add_explicit(hit ? &hits : &misses, 1, memory_order_relaxed);
}

static long seen(void) {
  return atomic_load_explicit(&hits, memory_order_relaxed) +
         atomic_load_explicit(&misses, memory_order_relaxed);
}

static void* work(void* unused) {
  for (int i = 0; i < 300; ++i) request(i % 3 == 0);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  int wrong = 0;
  for (int i = 0; i < 100; ++i) wrong |= seen() > 600;
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return wrong || hits != 200 || misses != 400;
}
