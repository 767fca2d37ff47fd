// A signal handler runs and its accesses count; a forked child, or a cloned one, runs on and its status is its own.
// RUN: %cxx %s %steps -o %t
// RUN: %isosan run -- %t handler 2>&1 | FileCheck --check-prefix=HANDLER %s
// HANDLER: handled 3
// HANDLER: SUMMARY: IsoSan: 0 findings
// RUN: sh -c '%isosan run --atomic torn -- %t fork; test $? -eq 66' 2>&1 | FileCheck --check-prefix=FORK %s
// RUN: sh -c '%isosan run --atomic torn -- %t clone; test $? -eq 66' 2>&1 | FileCheck --check-prefix=FORK %s
// FORK: child says 42
// FORK: atomicity violation (region torn)
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <thread>

#include "steps.h"

volatile int handled;
int value;

void on_signal(int) { handled = handled + 1; }

[[gnu::noinline]] void torn() {
  const int before = value;
  next_step();
  await_step(2);
  value = before + 1;
}

int run_child(void*) {
  value = 42;
  std::thread([] { ++value; }).join();
  _exit(value - 1);
}

pid_t start_child(bool by_clone) {
  alignas(16) static char stack[1 << 16];
  if (by_clone) return clone(run_child, stack + sizeof stack, SIGCHLD, nullptr);
  const pid_t child = fork();
  if (child == 0) run_child(nullptr);
  return child;
}

int main(int, char** argv) {
  if (std::strcmp(argv[1], "handler") == 0) {
    signal(SIGUSR1, on_signal);
    std::thread([] { raise(SIGUSR1); }).join();
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    std::printf("handled %d\n", handled);
    return 0;
  }
  const pid_t child = start_child(std::strcmp(argv[1], "clone") == 0);
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child says %d\n", WEXITSTATUS(status));
  std::fflush(stdout);
  std::thread other([] {
    await_step(1);
    value = 7;
    next_step();
  });
  torn();
  other.join();
}
