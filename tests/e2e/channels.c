// Pipes, socketpairs and eventfds order threads: what is written before the message is read after
// it. Without reading the message, it is a race. A function that reads a message waits, and is no
// region.
// RUN: %cc %s %steps -o %t
// RUN: for how in pipe socket event; do %isosan run --analysis fasttrack -- %t $how read || exit 1; done
// RUN: for how in pipe socket event; do %exits 66 %isosan run --analysis fasttrack -- %t $how late 2>&1 | FileCheck %s; done
// RUN: %isosan run --analysis velodrome --regions methods -- %t pipe read 2>&1 | FileCheck --check-prefix=WAITED %s
// CHECK: data race
// WAITED: region only until it waited for other threads: consume
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "steps.h"

static int ends[2];
static int value;

static void open_channel(const char* how) {
  if (how[0] == 'p') (void)!pipe(ends);
  if (how[0] == 's') socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  if (how[0] == 'e') ends[0] = ends[1] = eventfd(0, 0);
}

static void* produce(void* unused) {
  const uint64_t one = 1;
  value = 42;
  (void)!write(ends[1], &one, sizeof one);
  next_step();
  return unused;
}

__attribute__((noinline)) static int consume(int before) {
  uint64_t message;
  if (before) (void)!read(ends[0], &message, sizeof message);
  const int got = value;
  if (!before) (void)!read(ends[0], &message, sizeof message);
  return got;
}

int main(int count, char** arguments) {
  pthread_t thread;
  open_channel(arguments[1]);
  pthread_create(&thread, 0, produce, 0);
  await_step(1);
  const int got = consume(count > 2 && strcmp(arguments[2], "read") == 0);
  pthread_join(thread, 0);
  return got != 42;
}
