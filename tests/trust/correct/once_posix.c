// pthread_once initialises, everybody reads.
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[10], runs;

static void fill(void) {
  for (int i = 0; i < 10; ++i) table[i] = i * i;
  ++runs;
}

static int square(int i) {
  pthread_once(&once, fill);
  return table[i];
}

static void* work(void* wrong) {
  for (int i = 0; i < 100; ++i) {
    if (square(i % 10) != (i % 10) * (i % 10)) *(int*)wrong = 1;
  }
  return 0;
}

int main(void) {
  pthread_t threads[3];
  int wrong[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, &wrong[i]);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return wrong[0] || wrong[1] || wrong[2] || runs != 1;
}
