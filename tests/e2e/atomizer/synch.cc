// --regions synch: functions that take a lock themselves. The pass has seen which do, through the __tsan_* front it shows.
//
// RUN: %cxx %s -o %t
// RUN: not timeout 60 %isosan run --analysis atomizer --regions synch -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: timeout 60 %isosan record --full -o %t.trace -- %t
// RUN: not timeout 60 %isosan check --analysis atomizer --regions synch %t.trace > %t.check
// RUN: FileCheck %s < %t.check
// CHECK-NOT: (region add_in_two_calls)
// CHECK: WARNING: IsoSan: {{.*}}(region add_in_two_steps)
// CHECK-NOT: (region add_in_two_calls)
// CHECK: SUMMARY: IsoSan: 1 finding
#include <mutex>

#include "one_after_another.h"

std::mutex mutex;
long sum = 0;

OUT_OF_LINE void add_in_two_steps() {
  mutex.lock();
  ++sum;
  mutex.unlock();
  mutex.lock();
  ++sum;
  mutex.unlock();
}
OUT_OF_LINE void add() {
  mutex.lock();
  ++sum;
  mutex.unlock();
}
OUT_OF_LINE void add_in_two_calls() {
  add();
  add();
}

int main() {
  for (int i = 0; i < 3; ++i) {
    in_a_thread([] { add_in_two_steps(); });
    in_a_thread([] { add_in_two_calls(); });
  }
}
