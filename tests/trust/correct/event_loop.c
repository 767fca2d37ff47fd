// An event loop: polls a pipe and calls a handler for each byte; handlers share state under a lock.
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add(int amount) {
  pthread_mutex_lock(&mutex);
  total += amount;
  pthread_mutex_unlock(&mutex);
}

static int dispatch(int fd) {
  struct pollfd ready = {fd, POLLIN, 0};
  if (poll(&ready, 1, -1) != 1) return 0;
  char byte;
  if (read(fd, &byte, 1) != 1 || byte == 0) return 0;
  add(byte);
  return 1;
}

static void event_loop(int fd) {
  while (dispatch(fd)) add(1);
}

static void* run(void* fd) {
  event_loop(*(int*)fd);
  return 0;
}

int main(void) {
  int ends[2][2];
  pthread_t loops[2];
  for (int i = 0; i < 2; ++i) {
    if (pipe(ends[i]) != 0) return 2;
    pthread_create(&loops[i], 0, run, &ends[i][0]);
  }
  const char one = 1, zero = 0;
  for (int i = 0; i < 100; ++i) {
    if (write(ends[i % 2][1], &one, 1) != 1) return 2;
  }
  for (int i = 0; i < 2; ++i) {
    if (write(ends[i][1], &zero, 1) != 1) return 2;
    pthread_join(loops[i], 0);
  }
  return total != 200;
}
