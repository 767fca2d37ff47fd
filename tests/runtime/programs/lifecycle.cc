// usage: lifecycle NAME: threads in numbers, process ends of all kinds, memory that is used again.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "step.h"

namespace {

long x;
[[gnu::noinline]] void touch(long* p) { ++*p; }

void sequential() {
  for (int i = 0; i < 10000; ++i) std::thread([] { touch(&x); }).join();
}
void sequential_with_alarms() {  // some come to threads that have hardly begun
  signal(SIGALRM, [](int) { touch(&x); });
  const itimerval often{{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &often, nullptr);
  for (int i = 0; i < 500; ++i) std::thread([] { touch(&x); }).join();
}
void many() {  // none can end before all have started
  std::mutex gate;
  gate.lock();
  std::vector<std::thread> all;
  for (int i = 0; i < 500; ++i) {
    all.emplace_back([&] { std::lock_guard through(gate); });
  }
  gate.unlock();
  for (std::thread& t : all) t.join();
}
void fork_child() {
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 100000; ++i) touch(&x);
    std::thread([] { touch(&x); }).join();
    _exit(x == 100001 ? 7 : 8);
  }
  int status = 0;
  waitpid(child, &status, 0);
  touch(&x);
  _exit(WIFEXITED(status) && WEXITSTATUS(status) == 7 && x == 1 ? 0 : 1);
}
void exit_from_thread() {
  std::thread([] {
    touch(&x);
    exit(5);
  }).join();
}
void quick() {
  touch(&x);
  quick_exit(6);
}
void aborting() {
  touch(&x);
  abort();
}
void segfault() {
  touch(&x);
  raise(SIGSEGV);
}
void wait_for_kill() {
  for (int i = 0; i < 1000; ++i) touch(&x);
  puts("ready");
  fflush(stdout);
  for (;;) pause();
}
void reuse() {
  long* first = nullptr;
  std::thread([&] {
    first = static_cast<long*>(malloc(5000));
    touch(first);
    free(first);
  }).join();
  long* second = nullptr;
  std::thread([&] {
    second = static_cast<long*>(malloc(5000));
    touch(second);
    free(second);
  }).join();
  printf("first=%p second=%p\n", static_cast<void*>(first), static_cast<void*>(second));
}
void mapping() {
  auto* p = static_cast<long*>(
      mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  touch(p);
  munmap(p, 8192);
  printf("map=%p\n", static_cast<void*>(p));
}
thread_local struct AtEnd {
  long* p = nullptr;
  ~AtEnd() { touch(p); }
} at_end;
void thread_local_destructor() {
  std::thread([] { at_end.p = &x; }).join();
  printf("x=%p\n", static_cast<void*>(&x));
}
void detached() {
  std::thread([] {
    touch(&x);
    step_done();
  }).detach();
  step_wait(1);
}
volatile sig_atomic_t got;
void on_signal(int) {
  touch(&x);
  got = got + 1;
}
void signals() {
  signal(SIGUSR1, on_signal);
  for (int i = 0; i < 1000; ++i) {
    const int before = got;
    kill(getpid(), SIGUSR1);
    while (got == before) touch(&x);
  }
  printf("got=%x\n", static_cast<int>(got));
}
void busy_owner() {  // the owner never calls the runtime again: the last resort
  std::thread owner([] {
    touch(&x);
    step_done();
    step_spin(2);
  });
  step_wait(1);
  touch(&x);
  step_done();
  owner.join();
  printf("x=%p\n", static_cast<void*>(&x));
}

const struct {
  const char* name;
  void (*run)();
} cases[] = {
    {"sequential", sequential},
    {"sequential-with-alarms", sequential_with_alarms},
    {"many", many},
    {"fork", fork_child},
    {"exit-from-thread", exit_from_thread},
    {"quick-exit", quick},
    {"abort", aborting},
    {"segfault", segfault},
    {"kill", wait_for_kill},
    {"reuse", reuse},
    {"mapping", mapping},
    {"thread-local", thread_local_destructor},
    {"detached", detached},
    {"signals", signals},
    {"busy-owner", busy_owner},
};

}  // namespace

int main(int, char** argv) {
  for (const auto& c : cases) {
    if (strcmp(c.name, argv[1]) != 0) continue;
    c.run();
    return 0;
  }
  return 3;
}
