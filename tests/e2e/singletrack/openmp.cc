// OpenMP, with libgomp (gcc) and libomp (clang): loops that write their own part, phases between barriers and
// reductions are deterministic; a sum without a reduction is a race, and one in a critical section
// depends on who comes first.
//
// RUN: %cxx -fopenmp %s -o %t
// RUN: env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis singletrack --deterministic main -- %t 2>&1 \
// RUN:   | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: not env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis singletrack --deterministic main -- %t racy \
// RUN:   > %t.racy 2>&1
// RUN: FileCheck %s < %t.racy
// CHECK: WARNING: IsoSan: conflict inside a deterministic region (region main)
// CHECK: fork T
// CHECK: {{read|write}}
// RUN: not env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis singletrack --deterministic main -- %t critical \
// RUN:   2>&1 | FileCheck --check-prefix=CRITICAL %s
// CRITICAL: release and acquire in one deterministic block
//
// A number that is drawn by `atomic capture` depends on who comes first; so does the result of fetch_add.
// RUN: not env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis singletrack --deterministic main -- %t capture \
// RUN:   2>&1 | FileCheck --check-prefix=CAPTURE %s
// RUN: not env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis singletrack --deterministic main -- %t fetch-add \
// RUN:   2>&1 | FileCheck --check-prefix=CAPTURE %s
// CAPTURE: atomic-rmw and atomic-rmw in one deterministic block
//
// The racy loop is a data race for fasttrack, and the rest is none: the construct forks and joins.
// RUN: env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis fasttrack -- %t
// RUN: not env OMP_NUM_THREADS=3 timeout 60 %isosan run --analysis fasttrack -- %t racy > %t.race 2>&1
// RUN: FileCheck --check-prefix=RACE %s < %t.race
// RACE: WARNING: IsoSan: data race
#include <atomic>

#include "team.h"

constexpr int kSize = 600;
double a[kSize], b[kSize];

OUT_OF_LINE void fill() {
#pragma omp parallel for
  for (int i = 0; i < kSize; ++i) a[i] = i;
#pragma omp parallel for schedule(dynamic, 10)
  for (int i = 0; i < kSize; ++i) b[i] = a[kSize - 1 - i];
}

OUT_OF_LINE double reduced() {
  double sum = 0;
  long count = 0;
#pragma omp parallel for reduction(+ : sum) reduction(+ : count)
  for (int i = 0; i < kSize; ++i) sum += a[i], ++count;
  return sum / static_cast<double>(count);
}

OUT_OF_LINE long reduced_by_an_instruction() {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < kSize; ++i) sum += i;
  return sum;
}

OUT_OF_LINE void phases() {
  double sum = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < kSize; ++i) a[i] = 2 * i;
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < kSize; ++i) sum += a[kSize - 1 - i];
#pragma omp for
    for (int i = 0; i < kSize; ++i) b[i] = sum;
  }
}

OUT_OF_LINE double racy() {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < kSize; ++i) sum += a[i];
  return sum;
}

OUT_OF_LINE double in_critical_sections() {
  double sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 12; ++i)
#pragma omp critical
    sum += a[i];
  return sum;
}

OUT_OF_LINE void captured() {
  int next = 0;
#pragma omp parallel for
  for (int i = 0; i < 12; ++i) {
    int mine;
#pragma omp atomic capture
    mine = next++;
    a[i] = mine;
  }
}

OUT_OF_LINE void fetched() {
  std::atomic<int> next{0};
#pragma omp parallel for
  for (int i = 0; i < 12; ++i) a[i] = next.fetch_add(1);
}

OUT_OF_LINE long counted() {
  long even = 0;
#pragma omp parallel for
  for (int i = 0; i < kSize; ++i)
#pragma omp atomic
    even += i % 2 == 0;
  return even;
}

int main(int argc, char** argv) {
  fill();
  const double mean = reduced();
  const long sum = reduced_by_an_instruction();
  phases();
  const long even = counted();
  if (asked(argc, argv, "capture")) captured();
  if (asked(argc, argv, "fetch-add")) fetched();
  if (asked(argc, argv, "racy")) return racy() < 0;
  if (asked(argc, argv, "critical")) return in_critical_sections() < 0;
  return mean == (kSize - 1) / 2.0 && sum == kSize * (kSize - 1) / 2 && b[0] == kSize * (kSize - 1) && even == kSize / 2 ? 0 : 1;
}
