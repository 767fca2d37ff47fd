#include "steps.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int counter;

void await_step(int step) {
  for (;;) {
    int now = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
    if (now >= step) return;
    syscall(SYS_futex, &counter, FUTEX_WAIT, now, 0, 0, 0);
  }
}

void spin_until_step(int step) {
  while (__atomic_load_n(&counter, __ATOMIC_SEQ_CST) < step) {
  }
}

void yield_until_step(int step) {
  while (__atomic_load_n(&counter, __ATOMIC_SEQ_CST) < step) syscall(SYS_sched_yield);
}

void next_step(void) {
  __atomic_add_fetch(&counter, 1, __ATOMIC_SEQ_CST);
  syscall(SYS_futex, &counter, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}

void let_other_in(void) {
  int first = 0;
  if (!__atomic_compare_exchange_n(&counter, &first, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) return;
  syscall(SYS_futex, &counter, FUTEX_WAKE, INT_MAX, 0, 0, 0);
  await_step(2);
}

void await_futex_wait(int tid) {
  char path[64], text[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/syscall", tid);
  for (int in_futex = 0; !in_futex;) {
    const int file = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0);
    const long n = syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
    text[n > 0 ? n : 0] = 0;
    in_futex = strtol(text, 0, 10) == SYS_futex; /* "running": 0 */
  }
}
