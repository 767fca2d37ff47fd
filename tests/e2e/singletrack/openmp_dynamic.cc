// OpenMP loops whose chunks go to whichever thread asks next. A chunk that does the same in every
// thread is fine, also with scratch memory of the thread. One that goes on with what an earlier
// chunk left in the thread (a generator of random numbers, a counter) depends on the schedule, and
// so does what the last chunk of each thread leaves behind.
//
// Twelve chunks for three threads: some thread gets two of them.
//
// RUN: %cxx -fopenmp %s -o %t
// RUN: env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis singletrack --deterministic main -- %t 2>&1 \
// RUN:   | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: not env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis singletrack --deterministic main -- %t random \
// RUN:   2>&1 | FileCheck %s
// RUN: not env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis singletrack --deterministic main -- %t counted \
// RUN:   2>&1 | FileCheck %s
// RUN: not env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis singletrack --deterministic main -- %t last \
// RUN:   2>&1 | FileCheck %s
// CHECK: conflict inside a deterministic region (region main)
// CHECK: write and read in different pieces of a loop
//
// The same from a trace, and beside another analysis, where there is no filter in the runtime.
// RUN: env OMP_NUM_THREADS=3 timeout 60 %isosan record -o %t.trace -- %t random
// RUN: not %isosan check --analysis singletrack --deterministic main %t.trace 2>&1 | FileCheck %s
// RUN: not env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis singletrack,fasttrack --deterministic main \
// RUN:   -- %t random 2>&1 | FileCheck %s
//
// No other analysis has anything to say.
// RUN: env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis fasttrack -- %t random
#include <omp.h>

#include "team.h"

constexpr int kSize = 12, kThreads = 3;
unsigned seeds[kThreads][16];
int counts[kThreads][16], scratch[kThreads][16], last[kThreads][16];
unsigned out[kSize];

unsigned& seed_of_this_thread() { return seeds[omp_get_thread_num()][0]; }

OUT_OF_LINE void scratch_memory() {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < kSize; ++i) {
    int* mine = scratch[omp_get_thread_num()];
    for (int k = 0; k < 16; ++k) mine[k] = i + k;
    int sum = 0;
    for (int k = 0; k < 16; ++k) sum += mine[k];
    out[i] = sum;
  }
}

OUT_OF_LINE long reduced() {
  long sum = 0;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
  for (long i = 0; i < kSize; ++i) sum += out[i];
  return sum;
}

OUT_OF_LINE void random_numbers() {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < kSize; ++i) {
    unsigned& seed = seed_of_this_thread();
    seed = seed * 1103515245 + 12345;
    out[i] = seed >> 16;
  }
}

OUT_OF_LINE void counted() {
#pragma omp parallel
  {
    int* mine = counts[omp_get_thread_num()];
#pragma omp for schedule(guided) nowait
    for (unsigned long long i = 0; i < kSize; ++i) ++mine[0];
  }
}

OUT_OF_LINE int last_of_each() {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < kSize; ++i) last[omp_get_thread_num()][0] = i;
  return last[0][0] + last[1][0] + last[2][0];
}

int main(int argc, char** argv) {
  scratch_memory();
  const long sum = reduced();
  if (asked(argc, argv, "random")) random_numbers();
  if (asked(argc, argv, "counted")) counted();
  if (asked(argc, argv, "last")) return last_of_each() < 0;
  return sum == 16 * 66 + 12 * 120 ? 0 : 1;
}
