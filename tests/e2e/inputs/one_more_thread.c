#include <pthread.h>

static int count;

static void* add(void* nothing) {
  ++count;
  return nothing;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  pthread_join(thread, 0);
  return count - 1;
}
