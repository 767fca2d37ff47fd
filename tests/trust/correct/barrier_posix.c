// Phases between barriers: each thread writes its cell, then reads its neighbour's.
#include <pthread.h>

static pthread_barrier_t barrier;
static int cells[2][3];

static void phase(int round, int me) {
  cells[(round + 1) % 2][me] = cells[round % 2][(me + 1) % 3] + 1;
  pthread_barrier_wait(&barrier);
}

static void* work(void* me) {
  for (int round = 0; round < 50; ++round) phase(round, (int)(long)me);
  return 0;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 3);
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return cells[0][0] != 50 || cells[0][2] != 50;
}
