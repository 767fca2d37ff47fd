// Fork and join: each thread fills its own slot, the parent reads the slots after the joins.
#include <pthread.h>

struct part {
  int from, to, sum;
};

static void* sum_up(void* argument) {
  struct part* part = argument;
  for (int i = part->from; i < part->to; ++i) part->sum += i;
  return part;
}

static int parallel_sum(int n) {
  struct part parts[2] = {{0, n / 2, 0}, {n / 2, n, 0}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, sum_up, &parts[i]);
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    sum += ((struct part*)result)->sum;
  }
  return sum;
}

int main(void) {
  for (int i = 0; i < 20; ++i) {
    if (parallel_sum(100) != 4950) return 1;
  }
  return 0;
}
