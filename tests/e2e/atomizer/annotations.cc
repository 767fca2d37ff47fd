// The same by annotations in the source (clang: the pass front).
//
// REQUIRES: pass
// RUN: %cxx -I%S/../../../include %s -o %t
// RUN: not %isosan run --analysis atomizer --atomic 'count*' -- %t 2>&1 | FileCheck %s
// CHECK: WARNING: IsoSan: {{.*}}count_plainly
// CHECK-NOT: count_by
// CHECK: SUMMARY: IsoSan: {{[0-9]+}} finding
#include <isosan/isosan.h>

#include "one_after_another.h"

long hits[4] = {};

OUT_OF_LINE void bump(int i) { ++hits[i]; }
ISOSAN_ASSUME_MOVER OUT_OF_LINE void mover(int i) { ++hits[i]; }
ISOSAN_NO_WARN OUT_OF_LINE void quiet(int i) { ++hits[i]; }
ISOSAN_ASSUME_ATOMIC OUT_OF_LINE void step(int i) { ++hits[i]; }

OUT_OF_LINE void count_plainly() { bump(0), bump(0); }
OUT_OF_LINE void count_by_movers() { mover(1), mover(1); }
OUT_OF_LINE void count_by_quiet_ones() { quiet(2), quiet(2); }
OUT_OF_LINE void count_by_one_step() { step(3); }

int main() {
  for (int i = 0; i < 3; ++i) {
    in_a_thread(count_plainly);
    in_a_thread(count_by_movers);
    in_a_thread(count_by_quiet_ones);
    in_a_thread(count_by_one_step);
  }
}
