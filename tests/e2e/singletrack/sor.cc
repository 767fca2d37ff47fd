// The second bug of the paper's section 5: sor's own barrier takes a store of two words for one. On
// the paper's machine a long was written in two halves; here they are named. Singletrack warns of the
// flags, and of the cells that nothing else keeps apart; with a real barrier the whole program
// is verified, where velodrome still warns (Figure 2(a)).
//
// RUN: %cxx %s -o %t
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t torn > %t.torn 2>&1
// RUN: FileCheck %s < %t.torn
// CHECK: WARNING: IsoSan: conflict inside a deterministic region (region main)
// CHECK: {{read|write}} {{.*}}TornBarrier::wait
//
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic '*' -- %t 2>&1 | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: timeout 60 %isosan run --analysis singletrack --no-race-free-filter --deterministic '*' -- %t
// RUN: not timeout 60 %isosan run --analysis velodrome --atomic '*' -- %t 2>&1 | FileCheck --check-prefix=NOISE %s
// NOISE: WARNING: IsoSan: atomicity violation
#include <pthread.h>
#include <sched.h>

#include "team.h"

constexpr int kWorkers = 2, kRows = 8, kSweeps = 6;

struct Flag {  // how many phases a worker has done
  volatile unsigned low = 0, high = 0;
};
struct TornBarrier {
  Flag flags[kWorkers];
  OUT_OF_LINE void wait(int me) {
    flags[me].low = flags[me].low + 1;
    flags[me].high = flags[me].low == 0 ? flags[me].high + 1 : flags[me].high;
    const unsigned phase = flags[me].low;
    for (Flag& flag : flags) {
      while (flag.high == 0 && flag.low < phase) sched_yield();
    }
  }
};

double cells[kRows + 2];

OUT_OF_LINE void relax(int row) { cells[row] = 0.25 * (cells[row - 1] + cells[row + 1]) + cells[row]; }

int main(int argc, char** argv) {
  const bool torn = asked(argc, argv, "torn");
  TornBarrier flags;
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, kWorkers);
  for (double& cell : cells) cell = 1;
  in_team(kWorkers, [&](int me) {
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      const int half = kRows / kWorkers;
      for (int row = 1 + me * half + sweep % 2; row < 1 + (me + 1) * half; row += 2) relax(row);
      if (torn) {
        flags.wait(me);
      } else {
        pthread_barrier_wait(&barrier);
      }
    }
  });
  pthread_barrier_destroy(&barrier);
}
