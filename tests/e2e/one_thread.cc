// A run says what was watched, and when that is little: one thread, or threads that did not meet.
// RUN: %cxx %s -o %t
// RUN: %isosan run -- %t 2>&1 | FileCheck --check-prefix=ONE %s
// ONE: IsoSan: watched 1 thread in 1 instrumented module
// ONE: IsoSan: only one thread ran: nothing could happen between threads
// RUN: %isosan run -- %t more 2>&1 | FileCheck --check-prefix=TWO %s
// TWO: IsoSan: watched 2 threads in 1 instrumented module
// TWO: IsoSan: nothing was contended: {{.*}} 'isosan hunt'
// TWO: SUMMARY: IsoSan: 0 findings
#include <thread>

int value;

[[gnu::noinline]] void add() { ++value; }

int main(int count, char**) {
  if (count > 1) std::thread(add).join();
  add();
  return value == count ? 0 : 1;
}
