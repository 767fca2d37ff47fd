// A check fails inside a region, and the program is aborted before the cycle can close: the region that was seen half
// done is named all the same.
// RUN: %cxx %s %steps -o %t
// RUN: not %isosan run -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: Assertion
// CHECK: WARNING: IsoSan: atomicity violation (region Range::move)
// CHECK-NEXT: The program was aborted by a thread that had seen the region half done: after its write, another thread read the same memory.
// CHECK: Range::move (T0){{.*}}still running  <== blamed
// CHECK: No cycle was closed, because the program ended first
// CHECK: SIGABRT
//
// The region itself finds that another has stepped in.
// RUN: not %isosan run -- %t itself > %t.itself 2>&1
// RUN: FileCheck --check-prefix=ITSELF %s < %t.itself
// ITSELF: WARNING: IsoSan: atomicity violation (region Range::grow)
// ITSELF-NEXT: The program was aborted in the middle of the region: after its write, another thread wrote the same memory.
//
// RUN: not --crash %isosan record -o %t.trace -- %t 2>&1 | FileCheck --check-prefix=RECORD %s
// RECORD: isosan: the program was ended by SIGABRT
//
// Where nobody had stepped in, there is nothing to tell.
// RUN: not --crash %isosan run -- %t alone > %t.alone 2>&1
// RUN: FileCheck --check-prefix=ALONE %s < %t.alone
// ALONE-NOT: WARNING
// ALONE: SUMMARY: IsoSan: 0 findings
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

#include "steps.h"

class Range {
 public:
  [[gnu::noinline]] void move(int by) {
    set_first(by);
    next_step();
    await_step(100);  // never
    last_ = by;
  }
  [[gnu::noinline]] void check() {
    std::lock_guard lock(mutex_);
    assert(first_ <= last_);
  }
  [[gnu::noinline]] void grow(bool wait) {
    set_first(1);
    const int before = later_;
    if (wait) {
      next_step();
      await_step(2);
    }
    later_ = before + 1;
    assert(wait && before == 1);
  }
  [[gnu::noinline]] void set_first(int first) {
    std::lock_guard lock(mutex_);
    first_ = first;
  }

 private:
  std::mutex mutex_;
  int first_ = 0, last_ = 0, later_ = 0;
};

int main(int argc, char** argv) {
  Range range;
  const bool itself = argc > 1 && std::strcmp(argv[1], "itself") == 0;
  if (argc > 1 && !itself) range.grow(false);
  std::thread other([&] {
    await_step(1);
    if (!itself) range.check();
    range.set_first(2);
    next_step();
  });
  itself ? range.grow(true) : range.move(1);
  other.join();
}
