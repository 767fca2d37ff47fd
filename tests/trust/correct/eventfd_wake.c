// A result handed over by an eventfd: written before the event, read after it.
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int full, empty;
static int slot, total;

static void signal_event(int fd) {
  const uint64_t one = 1;
  (void)!write(fd, &one, sizeof one);
}
static void await_event(int fd) {
  uint64_t count;
  (void)!read(fd, &count, sizeof count);
}

static void* produce(void* unused) {
  for (int i = 0; i < 100; ++i) {
    await_event(empty);
    slot = i;
    signal_event(full);
  }
  return unused;
}

int main(void) {
  full = eventfd(0, 0);
  empty = eventfd(1, 0);
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  for (int i = 0; i < 100; ++i) {
    await_event(full);
    total += slot;
    signal_event(empty);
  }
  pthread_join(producer, 0);
  return total != 4950;
}
