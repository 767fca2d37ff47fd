// std::barrier and std::latch order deterministically, a counting semaphore where its posts are
// needed. (Under the __tsan_* front they are atomics.)
//
// REQUIRES: pass
// RUN: %cxx %s -o %t
// RUN: timeout 60 %isosan run --analysis singletrack --deterministic 'by_*' --deterministic main -- %t 2>&1 \
// RUN:   | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic 'by_*' -- %t early 2>&1 | FileCheck %s
// CHECK: WARNING: IsoSan: conflict inside a deterministic region (region by_latch)
// CHECK-NOT: (region by_barrier)
// CHECK-NOT: (region by_semaphore)
#include <barrier>
#include <latch>
#include <semaphore>

#include "team.h"

int a[3] = {1, 2, 3};

OUT_OF_LINE void by_barrier() {
  std::barrier barrier(3);
  in_team(3, [&](int id) {
    for (int i = 0; i < 5; ++i) {
      const int sum = a[0] + a[1] + a[2];
      barrier.arrive_and_wait();
      a[id] = sum;
      barrier.arrive_and_wait();
    }
  });
}

OUT_OF_LINE int by_latch(bool early) {
  std::latch ready(2);
  int parts[2] = {}, sum = 0;
  in_team(3, [&](int id) {
    if (id < 2) {
      parts[id] = id + 1;
      ready.count_down();
    } else {
      if (early) sum = parts[0] + parts[1];
      ready.wait();
      sum += parts[0] + parts[1];
    }
  });
  return sum;
}

OUT_OF_LINE int by_semaphore() {
  std::counting_semaphore<2> posted(0);
  int parts[2] = {}, sum = 0;
  in_team(3, [&](int id) {
    if (id < 2) {
      parts[id] = id + 1;
      posted.release();
    } else {
      posted.acquire();
      posted.acquire();  // both posts are needed
      sum = parts[0] + parts[1];
    }
  });
  return sum;
}

int main(int argc, char** argv) {
  by_barrier();
  return by_latch(asked(argc, argv, "early")) >= 3 && by_semaphore() == 3 ? 0 : 1;
}
