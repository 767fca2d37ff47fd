// From the middle of the program on there is no more address space, and there are ever more locks.
#include <pthread.h>
#include <sys/resource.h>

static pthread_mutex_t locks[1 << 20];
static int count;

static void* add(void* nothing) {
  ++count;
  return nothing;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  pthread_join(thread, 0);
  const struct rlimit none = {1 << 20, 1 << 20};
  setrlimit(RLIMIT_AS, &none);
  for (int i = 0; i < 1 << 20; ++i) {
    pthread_mutex_lock(&locks[i]);
    ++count;
    pthread_mutex_unlock(&locks[i]);
  }
  return 0;
}
