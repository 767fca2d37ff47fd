// A recording for one selection: what a region has accessed is not told again by the functions that it calls; but it
// is by a function that turns out to notify, which is none: the machine code does not show what is called through a pointer.
// (The pass leaves edges of such small functions out altogether.)
// REQUIRES: tsan
// RUN: %cxx %s -o %t
// RUN: %isosan record --no-quiet --regions methods -o %t.trace -- %t quick
// RUN: %isosan trace dump %t.trace | grep -c 'write.*[cC]ounter' > %t.quick
// RUN: grep -qx 1 %t.quick
// RUN: %isosan record --no-quiet --regions methods -o %t.trace -- %t notify
// RUN: %isosan trace dump %t.trace | grep -c 'write.*[cC]ounter' > %t.notify
// RUN: grep -qx 6 %t.notify
#include <pthread.h>

#include <cstring>

pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int (*volatile notify)(pthread_cond_t*) = pthread_cond_signal;
int counter;

[[gnu::noinline]] void add() { ++counter; }

[[gnu::noinline]] void add_thrice(bool notifies) {
  if (notifies) notify(&condition);
  add();
  add();
  add();
}

int main(int, char** argv) {
  const bool notifies = std::strcmp(argv[1], "notify") == 0;
  add_thrice(notifies);
  if (notifies) add_thrice(false);
}
