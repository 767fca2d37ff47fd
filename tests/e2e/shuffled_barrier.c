// Threads that take turns may be late at a barrier: one has arrived and waits for its turn while another is in the next round
// already. Nobody misses the end of a round, one of them is the serial thread, and no departure comes before an arrival.
// RUN: %cc %s -o %t
// RUN: sh -c 'for seed in 1 2 3 4 5 6 7 8; do timeout 60 %isosan run --analysis fasttrack --shuffle $seed -- %t || exit 1; done'
#include <pthread.h>

static pthread_barrier_t barrier;
static int cells[2][3];
static int serial[3];

static void* work(void* argument) {
  const int me = (int)(long)argument;
  for (int round = 0; round < 20; ++round) {
    cells[(round + 1) % 2][me] = cells[round % 2][(me + 1) % 3] + 1;
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) ++serial[me];
  }
  return 0;
}

int main(void) {
  pthread_barrier_init(&barrier, 0, 3);
  pthread_t threads[3];
  for (long i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return cells[0][0] != 20 || serial[0] + serial[1] + serial[2] != 20;
}
