#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "differential/objects.h"

namespace {
int counter;
volatile unsigned long used;
}  // namespace

void prepare(Objects* objects) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&objects->recursive, &recursive);
  sem_init(&objects->semaphore, 0, 0);
  pthread_barrier_init(&objects->barrier, nullptr, 2);
  __atomic_store_n(&counter, 0, __ATOMIC_SEQ_CST);
}

void announce(const Objects* first) {
  printf("objects=%lu\n", reinterpret_cast<unsigned long>(first));
  fflush(stdout);
}

void await(int step) {
  for (;;) {
    const int now = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
    if (now >= step) return;
    syscall(SYS_futex, &counter, FUTEX_WAIT, now, 0, 0, 0);
  }
}

void advance(int steps) {
  __atomic_add_fetch(&counter, steps, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &counter, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}

void use(unsigned long value) { used = value; }

void use_bytes(const void* bytes) { used = *static_cast<const unsigned char*>(bytes); }

extern "C" void nothing() {}
