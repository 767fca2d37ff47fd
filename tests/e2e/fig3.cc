// DoubleChecker, Fig. 3: four transactions use one object without a lock. Who owns its 8 bytes makes an
// imprecise cycle of all four; only two of them use the same field.
// RUN: %cxx %s %steps -o %t
// RUN: not %isosan run --analysis doublechecker --stats --atomic 'transaction*' --json %t.json -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: WARNING: IsoSan: atomicity violation (region transaction1) [doublechecker]
// CHECK: STATS: doublechecker sccs {{[1-9]}}
// CHECK: SUMMARY: IsoSan: 1 finding
// RUN: python3 -c "import json; f = json.load(open('%t.json'))['findings'][0]; \
// RUN:   print([t['region'] for t in f['transactions']])" | FileCheck --check-prefix=TWO %s
// TWO-DAG: transaction1
// TWO-DAG: transaction3
// TWO-NOT: transaction2
// TWO-NOT: transaction4
//
// Two runs find the same: the first suspects all four, because all are in the imprecise cycle.
// RUN: rm -f %t.suspects
// RUN: %isosan run --analysis doublechecker --mode first --suspects %t.suspects --atomic 'transaction*' -- %t 2>&1 \
// RUN:   | FileCheck --check-prefix=FIRST %s
// FIRST: IsoSan: 4 regions suspected
// RUN: not %isosan run --analysis doublechecker --mode second --suspects %t.suspects --atomic 'transaction*' -- %t 2>&1 \
// RUN:   | FileCheck --check-prefix=SECOND %s
// SECOND: WARNING: IsoSan: atomicity violation (region transaction1)
//
// Without the read of o.f there is an imprecise cycle, and nothing to find.
// RUN: %cxx -DWITHOUT_READ %s %steps -o %t.without
// RUN: %isosan run --analysis doublechecker --stats --atomic 'transaction*' -- %t.without 2>&1 \
// RUN:   | FileCheck --check-prefix=WITHOUT %s
// WITHOUT: STATS: doublechecker sccs {{[1-9]}}
// WITHOUT: SUMMARY: IsoSan: 0 findings
#include <thread>

#include "steps.h"

struct alignas(8) Object {
  short f, g, h;
};
Object o;

struct alignas(64) Seen {
  int value;
};
Seen seen[5];

[[gnu::noinline]] void transaction1() {
  o.f = 1;
  next_step();
  await_step(4);
  o.f = 2;
  next_step();
  await_step(8);  // ends last
}

[[gnu::noinline]] void transaction2() {
  await_step(1);
  seen[2].value = o.g;
  next_step();
  await_step(5);
}

[[gnu::noinline]] void transaction3() {
  await_step(2);
#ifndef WITHOUT_READ
  seen[3].value = o.f;
#endif
  next_step();
  await_step(5);
}

[[gnu::noinline]] void transaction4() {
  await_step(3);
  seen[4].value = o.h;
  next_step();
  await_step(5);
}

int main() {
  std::thread one([] { transaction1(); }), two([] { transaction2(), next_step(); });
  std::thread three([] { transaction3(), next_step(); }), four([] { transaction4(), next_step(); });
  one.join(), two.join(), three.join(), four.join();
}
