// A ring between one producer and one consumer: two atomic indices, no lock.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { kSize = 8 };
static int ring[kSize];
static atomic_uint head, tail;

static int try_put(int value) {
  const unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
  if (at - atomic_load_explicit(&head, memory_order_acquire) == kSize) return 0;
  ring[at % kSize] = value;
  atomic_store_explicit(&tail, at + 1, memory_order_release);
  return 1;
}

static int try_get(int* value) {
  const unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
  if (at == atomic_load_explicit(&tail, memory_order_acquire)) return 0;
  *value = ring[at % kSize];
  atomic_store_explicit(&head, at + 1, memory_order_release);
  return 1;
}

static void* produce(void* unused) {
  for (int i = 0; i < 200; ++i) {
    while (!try_put(i)) sched_yield();
  }
  return unused;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  int wrong = 0;
  for (int i = 0, value; i < 200; ++i) {
    while (!try_get(&value)) sched_yield();
    wrong |= value != i;
  }
  pthread_join(producer, 0);
  return wrong;
}
