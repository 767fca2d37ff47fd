// Signals that another process sends to isosan reach the program. Here the program sends them itself, to its parent.
// RUN: %cxx %s -o %t
// RUN: %isosan run -- %t 2>&1 | FileCheck %s
// CHECK: got INT QUIT TERM HUP USR1 USR2
// CHECK: SUMMARY: IsoSan: 0 findings
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

int shared;

int main() {
  const int all[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
  const char* const names[] = {"INT", "QUIT", "TERM", "HUP", "USR1", "USR2"};
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : all) sigaddset(&set, signal);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  std::thread([] { ++shared; }).join();
  std::printf("got");
  for (int i = 0; i < 6; ++i) {
    kill(getppid(), all[i]);
    int got = 0;
    sigwait(&set, &got);
    std::printf(" %s", got == all[i] ? names[i] : "another");
  }
  std::printf("\n");
  return shared == 1 ? 0 : 1;
}
