// Where threads take turns, one that comes back from a system call waits for its turn, and the thread that has the turn may need a
// word that it owns: it answers there.
// RUN: %cc %s %steps -o %t
// RUN: sh -c 'for seed in 1 2 3 4 5 6 7 8; do timeout 60 %isosan run --shuffle $seed -- %t || exit 1; done'
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

#include "steps.h"

int owned;
static int ends[2], reader;

static void* other(void* unused) {
  if (write(ends[1], "x", 1) != 1) return unused;
  await_futex_wait(reader);
  owned = 2;
  return unused;
}

int main(void) {
  reader = gettid();
  if (pipe(ends) != 0) return 2;
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  owned = 1;
  char byte;
  if (read(ends[0], &byte, 1) != 1) return 2;
  pthread_join(thread, 0);
  return owned == 0;
}
