// pthread_spin_lock around two counters.
#include <pthread.h>

static pthread_spinlock_t spin;
static int count, twice;

static void add(void) {
  pthread_spin_lock(&spin);
  ++count;
  twice += 2;
  pthread_spin_unlock(&spin);
}

static void* work(void* unused) {
  for (int i = 0; i < 300; ++i) add();
  return unused;
}

int main(void) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return count != 600 || twice != 1200;
}
