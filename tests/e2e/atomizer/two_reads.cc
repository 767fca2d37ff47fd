// Two reads of one unprotected variable at two places of a region are a window, although nothing was
// written in between: the log keeps the second read, which the exact analyses do not need.
//
// RUN: %cxx %s -o %t
// RUN: not %isosan run --analysis atomizer --atomic look_twice -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: %isosan record --full -o %t.trace -- %t
// RUN: not %isosan check --analysis atomizer --atomic look_twice %t.trace > %t.check
// RUN: FileCheck %s < %t.check
//
// CHECK: WARNING: IsoSan: {{.*}}look_twice
#include "one_after_another.h"

volatile int x = 0;  // volatile: the compiler keeps both reads
int seen = 0;

OUT_OF_LINE void look_twice() {
  if (x > 0) seen = x;
}

int main() {
  for (int i = 0; i < 3; ++i) {
    in_a_thread([] { x = 1; });
    in_a_thread(look_twice);
  }
}
