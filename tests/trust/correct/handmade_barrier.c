// A barrier made of a mutex, a condition and a generation number.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int waiting, generation;
static int cells[3];

static void meet(void) {
  pthread_mutex_lock(&mutex);
  const int mine = generation;
  if (++waiting == 3) {
    waiting = 0;
    ++generation;
    pthread_cond_broadcast(&opened);
  }
  while (mine == generation) pthread_cond_wait(&opened, &mutex);
  pthread_mutex_unlock(&mutex);
}

static void round_of(int me) {
  const int seen = cells[(me + 1) % 3];
  meet();
  cells[me] = seen + 1;
  meet();
}

static void* work(void* me) {
  for (int i = 0; i < 50; ++i) round_of((int)(long)me);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return cells[0] != 50 || cells[1] != 50 || cells[2] != 50;
}
