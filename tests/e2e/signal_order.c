// What is done before a signal is sent, or its handler is set, comes before the handler and before what is done after the wait
// for the signal. What is done after that does not. `kept`: the signal finds the thread in a loop, and waits for its next poll.
// RUN: %cc %s %steps -o %t
// RUN: for how in handled kept awaited raised; do %isosan run --analysis fasttrack -- %t $how || exit 1; done
// RUN: for how in handled awaited; do %exits 66 %isosan run --analysis fasttrack -- %t $how late 2>&1 | FileCheck %s; done
// CHECK: data race
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "steps.h"

static volatile int value, seen;
static volatile sig_atomic_t handled;

static void handler(int signal) {
  (void)signal;
  await_step(2);
  seen = value;
  handled = 1;
  next_step();
}

static void* receive(void* how) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  int signal;
  next_step();
  if (strcmp(how, "awaited") == 0) {
    sigwait(&set, &signal);
    handler(signal);
  }
  while (strcmp(how, "kept") == 0 && !handled) {
  }
  await_step(3);
  return 0;
}

int main(int count, char** arguments) {
  const char* how = arguments[1];
  const int late = count > 2;
  pthread_t thread;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  if (strcmp(how, "awaited") == 0) pthread_sigmask(SIG_BLOCK, &set, 0);
  if (late) signal(SIGUSR1, handler);
  pthread_create(&thread, 0, receive, (void*)how);
  await_step(1);
  if (!late) value = 42;
  if (!late) signal(SIGUSR1, handler);
  if (strcmp(how, "raised") == 0) {
    next_step();
    raise(SIGUSR1);
  } else {
    pthread_kill(thread, SIGUSR1);
    if (late) value = 42;
    next_step();
  }
  pthread_join(thread, 0);
  return seen != 42;
}
