// A ticket lock: two 4-byte atomics in one 8-byte word.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct ticket_lock {
  atomic_uint next, serving;
};
static struct ticket_lock guard;
static int count;

static void lock(struct ticket_lock* l) {
  const unsigned mine = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&l->serving, memory_order_acquire) != mine) sched_yield();
}
static void unlock(struct ticket_lock* l) {
  const unsigned now = atomic_load_explicit(&l->serving, memory_order_relaxed);
  atomic_store_explicit(&l->serving, now + 1, memory_order_release);
}

static void add(void) {
  lock(&guard);
  ++count;
  unlock(&guard);
}

static void* work(void* unused) {
  for (int i = 0; i < 200; ++i) add();
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return count != 600;
}
