// Philosophers who take the lower fork first.
#include <pthread.h>

enum { kCount = 3 };
static pthread_mutex_t forks[kCount] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                        PTHREAD_MUTEX_INITIALIZER};
static int uses[kCount];

static void eat(int me) {
  const int other = (me + 1) % kCount;
  const int low = me < other ? me : other, high = me < other ? other : me;
  pthread_mutex_lock(&forks[low]);
  pthread_mutex_lock(&forks[high]);
  ++uses[low];
  ++uses[high];
  pthread_mutex_unlock(&forks[high]);
  pthread_mutex_unlock(&forks[low]);
}

static void* philosopher(void* me) {
  for (int i = 0; i < 200; ++i) eat((int)(long)me);
  return 0;
}

int main(void) {
  pthread_t threads[kCount];
  for (long i = 0; i < kCount; ++i) pthread_create(&threads[i], 0, philosopher, (void*)i);
  for (int i = 0; i < kCount; ++i) pthread_join(threads[i], 0);
  return uses[0] != 400 || uses[1] != 400 || uses[2] != 400;
}
