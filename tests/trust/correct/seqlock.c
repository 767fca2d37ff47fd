// A seqlock: readers retry until the number was even and the same before and after.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;

static void write_pair(int value) {
  pthread_mutex_lock(&writers);
  atomic_fetch_add(&sequence, 1);
  atomic_store(&low, value);
  atomic_store(&high, -value);
  atomic_fetch_add(&sequence, 1);
  pthread_mutex_unlock(&writers);
}

static int read_pair(void) {
  for (;;) {
    const unsigned before = atomic_load(&sequence);
    const int l = atomic_load(&low), h = atomic_load(&high);
    if (before % 2 == 0 && atomic_load(&sequence) == before) return l + h;
  }
}

static void* writer(void* unused) {
  for (int i = 0; i < 200; ++i) write_pair(i);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  int torn = 0;
  for (int i = 0; i < 200; ++i) torn |= read_pair();
  pthread_join(thread, 0);
  return torn != 0;
}
