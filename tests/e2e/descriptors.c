// A file descriptor that one thread closes while another uses it, in no order: a race. A number that is used again is another
// descriptor.
// RUN: %cc %s %steps -o %t
// RUN: for what in read dup2; do %exits 66 %isosan run --analysis fasttrack -- %t $what 2>&1 | FileCheck %s; done
// RUN: for what in again again_unseen dup2_in_use; do %isosan run --analysis fasttrack -- %t $what || exit 1; done
// CHECK: data race
// CHECK: close(fd)
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "steps.h"

static int fd;
static const char* what;
static int is(const char* name) { return strcmp(what, name) == 0; }

static void* other(void* unused) {
  char byte;
  if (is("read") || is("dup2_in_use")) (void)!read(fd, &byte, 1);
  if (is("dup2")) dup2(0, fd);
  if (is("again") || is("again_unseen")) {
    const int mine = open("/dev/null", O_RDONLY);
    (void)!read(mine, &byte, 1);
    if (is("again")) close(mine);
    if (is("again_unseen")) syscall(SYS_close, mine);
  }
  next_step();
  return unused;
}

int main(int count, char** arguments) {
  pthread_t thread;
  what = arguments[count - 1];
  if (!is("again") && !is("again_unseen")) fd = open("/dev/zero", O_RDONLY);
  pthread_create(&thread, 0, other, 0);
  await_step(1);
  if (is("again") || is("again_unseen")) fd = open("/dev/zero", O_RDONLY);
  if (is("dup2_in_use")) {
    dup2(0, fd);
  } else {
    close(fd);
  }
  pthread_join(thread, 0);
  return 0;
}
