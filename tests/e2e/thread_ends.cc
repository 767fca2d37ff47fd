// jthread and stop_token order what they should; destructors of thread_local objects are the thread's own, before its
// end and therefore before a join.
// RUN: %cxx %s %steps -o %t
// RUN: %isosan run --analysis fasttrack --regions annotated -- %t stop
// RUN: %isosan run --analysis fasttrack --regions annotated -- %t thread_local_joined
// RUN: sh -c '%isosan run --analysis fasttrack --regions annotated -- %t thread_local_racing; test $? -eq 66' 2>&1 \
// RUN:   | FileCheck %s
// CHECK: data race ({{.*}}AtExit::~AtExit{{.*}})
#include <cstdio>
#include <cstring>
#include <stop_token>
#include <thread>

#include "steps.h"

int value;

struct AtExit {
  bool touched = false;
  [[gnu::noinline]] ~AtExit() {
    value = 1;
    next_step();
  }
};
thread_local AtExit at_exit;

void stop() {
  int seen = 0;
  {
    std::jthread thread([&seen](std::stop_token token) {
      while (!token.stop_requested()) std::this_thread::yield();
      seen = value;
    });
    value = 5;
  }
  std::printf("%d\n", seen);
}

int main(int, char** argv) {
  const auto is = [&](const char* name) { return std::strcmp(argv[1], name) == 0; };
  if (is("stop")) return stop(), 0;
  std::thread thread([] { at_exit.touched = true; });
  if (is("thread_local_joined")) {
    thread.join();
    std::printf("%d\n", value);
    return 0;
  }
  await_step(1);
  std::printf("%d\n", value);
  thread.join();
}
