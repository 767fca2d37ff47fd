// Figure 2(a): workers read what all have written, meet at a barrier, write their own part, meet again.
// Deterministic, and never atomic. Without the second meeting it is neither. A pthread barrier here;
// C++20's in cpp20_barriers.cc.
//
// RUN: %cxx %s -o %t
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic main -- %t 2>&1 | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t once 2>&1 | FileCheck %s
// CHECK: WARNING: IsoSan: conflict inside a deterministic region (region main)
// CHECK: one deterministic block, with nothing in the block that orders them
//
// A recording says the same.
// RUN: timeout 60 %isosan record -o %t.trace -- %t once
// RUN: not timeout 60 %isosan check --analysis singletrack --deterministic main %t.trace | FileCheck %s
#include <pthread.h>

#include "team.h"

int a[3] = {1, 2, 3};

int main(int argc, char** argv) {
  const bool twice = !asked(argc, argv, "once");
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, 3);
  in_team(3, [&](int id) {
    for (int i = 0; i < 10; ++i) {
      const int sum = a[0] + a[1] + a[2];
      pthread_barrier_wait(&barrier);
      a[id] = sum;
      if (twice) pthread_barrier_wait(&barrier);
    }
  });
  pthread_barrier_destroy(&barrier);
}
