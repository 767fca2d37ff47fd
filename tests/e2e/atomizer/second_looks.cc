// A look without a lock that is taken again, by compare-exchange or under the lock, is no window; one that is not is.
//
// RUN: %cxx %s -o %t
// RUN: not timeout 60 %isosan run --analysis atomizer --atomic 'take*' --atomic 'make*' -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK-NOT: _again
// CHECK-DAG: WARNING: IsoSan: {{.*}}take_blindly
// CHECK-DAG: WARNING: IsoSan: {{.*}}make_blindly
// CHECK-NOT: _again
// CHECK: SUMMARY: IsoSan: 2 findings
// RUN: not timeout 60 %isosan run --analysis atomizer --atomizer-without second-looks --atomic 'take*' --atomic 'make*' -- %t > %t.all 2>&1
// RUN: FileCheck --check-prefix=ALL %s < %t.all
// ALL-DAG: WARNING: IsoSan: {{.*}}take_again
// ALL-DAG: WARNING: IsoSan: {{.*}}make_again
#include <atomic>
#include <mutex>

#include "one_after_another.h"

std::atomic<int> left{100}, left_too{100};
std::mutex mutex;
std::atomic<int> made{0}, made_too{0};

OUT_OF_LINE bool take_blindly() {
  if (left.load() <= 0) return false;
  left.fetch_sub(1);
  return true;
}
OUT_OF_LINE bool take_again() {
  int seen = left_too.load();
  while (seen > 0)
    if (left_too.compare_exchange_strong(seen, seen - 1)) return true;
  return false;
}
OUT_OF_LINE void make_blindly(int limit) {
  if (made.load() >= limit) return;
  std::lock_guard guard(mutex);
  made.store(limit);
}
OUT_OF_LINE void make_again(int limit) {
  if (made_too.load() >= limit) return;
  std::lock_guard guard(mutex);
  if (made_too.load() >= limit) return;
  made_too.store(limit);
}

int main() {
  for (int i = 1; i < 5; ++i) {
    in_a_thread(take_blindly);
    in_a_thread(take_again);
    in_a_thread([=] { make_blindly(i); });
    in_a_thread([=] { make_again(i); });
  }
}
