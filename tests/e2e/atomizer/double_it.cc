// Atomizer's doubleIt: the variable is read in one critical section and written in the next. Both
// have the lock, so there is no race; together they are no atomic step.
//
// RUN: %cxx %s -o %t
// RUN: not %isosan run --analysis atomizer --atomic double_it -- %t 2>&1 | FileCheck %s
// CHECK: WARNING: IsoSan: {{.*}}double_it
// CHECK: SUMMARY: IsoSan: 1 finding
//
// A recording gives the same.
// RUN: %isosan record -o %t.trace -- %t
// RUN: not %isosan check --analysis atomizer --atomic double_it %t.trace | FileCheck %s
//
// No race: fasttrack is silent.
// RUN: %isosan run --analysis fasttrack --atomic double_it -- %t
#include <mutex>

#include "one_after_another.h"

std::mutex mutex;
int x = 1;

OUT_OF_LINE void double_it() {
  int seen = 0;
  {
    std::lock_guard guard(mutex);
    seen = x;
  }
  std::lock_guard guard(mutex);
  x = 2 * seen;
}

int main() {
  for (int i = 0; i < 3; ++i) in_a_thread(double_it);
}
