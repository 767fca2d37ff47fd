// A region that starts a thread and waits for its end is cut in two at both; one that leaves it behind is not. A window inside a
// nested region is told of that one alone.
//
// RUN: %cxx %s -o %t
// RUN: not timeout 60 %isosan run --analysis atomizer --atomic 'with_help*' --atomic 'and_leave*' --atomic 'take_twice*' --atomic 'around*' -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK-NOT: WARNING: IsoSan: {{.*}}with_help
// CHECK-NOT: WARNING: IsoSan: {{.*}}around
// CHECK-DAG: WARNING: IsoSan: {{.*}}and_leave
// CHECK-DAG: WARNING: IsoSan: {{.*}}take_twice
// CHECK: SUMMARY: IsoSan: 2 findings
// RUN: not timeout 60 %isosan run --analysis atomizer --atomizer-without split-at-fork,innermost --atomic 'with_help*' --atomic 'around*' -- %t > %t.all 2>&1
// RUN: FileCheck --check-prefix=ALL %s < %t.all
// ALL-DAG: WARNING: IsoSan: {{.*}}with_help
// ALL-DAG: WARNING: IsoSan: {{.*}}around
#include <mutex>

#include "one_after_another.h"

std::mutex mutex;
int count = 0;

void take() {
  std::lock_guard guard(mutex);
  ++count;
}
OUT_OF_LINE void take_twice() {
  take();
  take();
}
OUT_OF_LINE void around() { take_twice(); }
OUT_OF_LINE void with_help() {
  take();
  std::thread helper(take);
  take();
  helper.join();
}
OUT_OF_LINE void and_leave(std::thread& helper) {
  take();
  helper = std::thread(take);
  take();
}

int main() {
  for (int i = 0; i < 4; ++i) {
    in_a_thread(around);
    in_a_thread(with_help);
    in_a_thread([] {
      std::thread helper;
      and_leave(helper);
      helper.join();
    });
  }
}
