// A region that calls nobody is judged for itself also inside of another one.
//
// RUN: %cxx %s -o %t
// RUN: not %isosan run --analysis atomizer --atomic leaf --atomic outer -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: %isosan record --full --atomic leaf --atomic outer -o %t.trace -- %t
// RUN: not %isosan check --analysis atomizer --atomic leaf --atomic outer %t.trace > %t.check
// RUN: FileCheck %s < %t.check
//
// CHECK-DAG: WARNING: IsoSan: {{.*}}(region outer)
// CHECK-DAG: WARNING: IsoSan: {{.*}}(region leaf)
// CHECK-DAG: 2 of them entered
//
// What is said of a window twice is in SARIF once.
// RUN: not %isosan check --analysis atomizer --atomic leaf --atomic outer --sarif %t.sarif %t.trace
// RUN: python3 %S/../../tools/validate_sarif.py %t.sarif
#include "one_after_another.h"

volatile int x = 0;
volatile int y = 0;

OUT_OF_LINE void leaf() {
  x = x + 1;
  y = y + 1;
}

OUT_OF_LINE void outer() {
  leaf();
  leaf();
}

int main() {
  for (int i = 0; i < 3; ++i) in_a_thread(outer);
}
