// libgomp hands sections out as it does chunks of schedule(dynamic): a section that goes on with what another left in its thread depends on the
// schedule. (clang gives each section to a thread of its number.) Four sections for three threads: some thread gets two of them.
//
// REQUIRES: tsan
// RUN: %cxx -fopenmp %s -o %t
// RUN: env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis singletrack --deterministic main -- %t 2>&1 \
// RUN:   | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: not env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis singletrack --deterministic main -- %t counted \
// RUN:   2>&1 | FileCheck %s
// CHECK: conflict inside a deterministic region (region main)
// CHECK: write and read in different pieces of a loop
#include <omp.h>

#include "team.h"

int counts[3][16], parts[4][16];

OUT_OF_LINE void each_its_own() {
#pragma omp parallel sections
  {
#pragma omp section
    parts[0][0] += 1;
#pragma omp section
    parts[1][0] += 2;
#pragma omp section
    parts[2][0] += 3;
#pragma omp section
    parts[3][0] += 4;
  }
}

OUT_OF_LINE void counted() {
#pragma omp parallel sections
  {
#pragma omp section
    ++counts[omp_get_thread_num()][0];
#pragma omp section
    ++counts[omp_get_thread_num()][0];
#pragma omp section
    ++counts[omp_get_thread_num()][0];
#pragma omp section
    ++counts[omp_get_thread_num()][0];
  }
}

int main(int argc, char** argv) {
  each_its_own();
  if (asked(argc, argv, "counted")) counted();
  return parts[3][0] == 4 ? 0 : 1;
}
