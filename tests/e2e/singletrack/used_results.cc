// Through the __tsan_* front additions in a parallel construct commute, but for those whose result is used: at every level of optimization.
// REQUIRES: tsan
// RUN: %cxx -fopenmp -O0 %s -o %t.O0
// RUN: %cxx -fopenmp -O2 %s -o %t.O2
// RUN: for level in O0 O2; do for how in unused kept-nowhere pragma; do \
// RUN:   timeout 60 %isosan run --analysis singletrack --deterministic main -- %t.$level $how 2>&1 | FileCheck --check-prefix=FINE %s || exit 1; \
// RUN: done; done
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: for level in O0 O2; do for how in used next capture; do \
// RUN:   not timeout 60 %isosan run --analysis singletrack --deterministic main -- %t.$level $how > %t.out 2>&1; FileCheck %s < %t.out || exit 1; \
// RUN: done; done
// CHECK: atomic-rmw and atomic-rmw in one deterministic block
#include <atomic>

#include "team.h"

std::atomic<int> count{0};
int plain = 0;
int place_of[4];

int main(int argc, char** argv) {
  if (asked(argc, argv, "unused")) {
#pragma omp parallel num_threads(2)
    count.fetch_add(1);
  }
  if (asked(argc, argv, "kept-nowhere")) {
#pragma omp parallel num_threads(2)
    {
      [[maybe_unused]] const int before = count.fetch_add(1);
    }
  }
  if (asked(argc, argv, "pragma")) {
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
      plain += 1;
    }
  }
  if (asked(argc, argv, "used")) {
#pragma omp parallel num_threads(2)
    place_of[count.fetch_add(1)] = 1;
  }
  if (asked(argc, argv, "next")) {
#pragma omp parallel num_threads(2)
    place_of[++count] = 1;
  }
  if (asked(argc, argv, "capture")) {
#pragma omp parallel num_threads(2)
    {
      int before;
#pragma omp atomic capture
      before = plain++;
      place_of[before] = 1;
    }
  }
}
