// A recording for one selection: what a region has accessed is not told again by the functions that it calls; but it
// is by a function that turns out to wait, which is none. (The pass leaves edges of such small functions out altogether.)
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
int counter;

[[gnu::noinline]] void add() { ++counter; }

[[gnu::noinline]] void add_thrice(bool notifies) {
  if (notifies) pthread_cond_signal(&condition);
  add();
  add();
  add();
}

int main(int, char** argv) {
  const bool notifies = std::strcmp(argv[1], "notify") == 0;
  add_thrice(notifies);
  if (notifies) add_thrice(false);
}
