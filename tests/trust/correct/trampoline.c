// A thread body behind a trampoline: the start routine calls a function that it was handed.
#include <pthread.h>

struct start {
  void (*body)(int);
  int argument;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add(int amount) {
  pthread_mutex_lock(&mutex);
  total += amount;
  pthread_mutex_unlock(&mutex);
}

static void body(int amount) {
  for (int i = 0; i < 100; ++i) add(amount);
}

static void* trampoline(void* argument) {
  struct start* start = argument;
  start->body(start->argument);
  return 0;
}

int main(void) {
  struct start starts[2] = {{body, 1}, {body, 2}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, trampoline, &starts[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return total != 300;
}
