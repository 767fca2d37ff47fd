// The completion function of a barrier comes after what every thread did before it arrived, and before what they do when they have left.
// What a thread does behind arrive() without waiting is not ordered with it.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: timeout 60 %isosan run --analysis velodrome,fasttrack,atomizer,marathon -- %t > %t.out 2>&1
// RUN: FileCheck --check-prefix=NONE %s < %t.out
// NONE: SUMMARY: IsoSan: 0 findings
// RUN: %cxx -DNOT_WAITING %s %steps -o %t.race
// RUN: not timeout 60 %isosan run --analysis fasttrack -- %t.race > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: data race (main::lambda, Sum::operator())
// CHECK: SUMMARY: IsoSan: 1 finding
#include <barrier>
#include <cstddef>
#include <thread>

#include "steps.h"

long parts[2], total, seen[2];

struct Sum {
  void operator()() noexcept { total = parts[0] + parts[1]; }
};

int main() {
  std::barrier barrier(2, Sum{});
#ifdef NOT_WAITING
  std::thread other([&] {
    (void)barrier.arrive();
    parts[1] = 1;
    next_step();
  });
  await_step(1);
  parts[0] = 1;
  barrier.arrive_and_wait();
  other.join();
#else
  const auto work = [&](std::size_t me) {
    for (int round = 0; round < 3; ++round) {
      parts[me] = round;
      barrier.arrive_and_wait();
      seen[me] = total;
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
#endif
}
