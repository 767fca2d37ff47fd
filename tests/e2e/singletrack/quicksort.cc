// Figure 1: quicksort forks threads under a lock. The block is deterministic and serializable against others;
// taking the lock again for the second half lets another sort in between.
//
// RUN: %cxx %s %steps -o %t
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic quicksort -- %t 2>&1 | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic quicksort -- %t twice > %t.twice 2>&1
// RUN: FileCheck %s < %t.twice
// CHECK: WARNING: IsoSan: deterministic region is not serializable (region quicksort)
// CHECK: a deterministic block is not isolated
// CHECK: No serial order explains this run
// CHECK: SUMMARY: IsoSan: 1 finding
//
// No lock, no order between the two sorts: each is deterministic in itself, not together.
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic quicksort_helper -- %t 2>&1 \
// RUN:   | FileCheck --check-prefix=FINE %s
#include <algorithm>
#include <mutex>

#include "steps.h"
#include "team.h"

std::mutex lock;
int a[64];

OUT_OF_LINE void quicksort_helper(int lo, int hi) {
  if (hi - lo < 8) {
    std::sort(a + lo, a + hi);
    return;
  }
  const int pivot = a[lo + (hi - lo) / 2];
  int* left = std::partition(a + lo, a + hi, [&](int x) { return x < pivot; });
  int* right = std::partition(left, a + hi, [&](int x) { return x == pivot; });
  std::thread one(quicksort_helper, lo, static_cast<int>(left - a));
  std::thread two(quicksort_helper, static_cast<int>(right - a), hi);
  one.join();
  two.join();
}

OUT_OF_LINE void quicksort(bool twice, bool first) {
  if (!first) await_step(1);
  {
    std::lock_guard guard(lock);
    quicksort_helper(0, twice ? 32 : 64);
  }
  if (first) next_step();
  if (!twice) return;
  if (first) await_step(2);
  {
    std::lock_guard guard(lock);
    quicksort_helper(32, 64);
  }
  if (!first) next_step();
}

int main(int argc, char** argv) {
  for (int i = 0; i < 64; ++i) a[i] = i * 37 % 64;
  const bool twice = asked(argc, argv, "twice");
  in_team(2, [twice](int i) { quicksort(twice, i == 0); });
}
