// REQUIRES: pass
// By default regions are functions that deal with what threads share. Plain data that its callers guard is none; its caller
// is. What was left out is counted and listed, and --regions methods takes it.
// RUN: %cxx %s %steps -o %t
// RUN: %exits 66 %isosan run --explain-regions -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: WARNING: IsoSan: atomicity violation (region deposit)
// CHECK: IsoSan: 3 functions are regions
// CHECK-NEXT: IsoSan: functions that are no regions: {{.*}} without locks and atomics
// CHECK: none, without locks and atomics: Purse::both
// CHECK: none, without locks and atomics: Purse::put
// CHECK: region: Safe::both
// CHECK: region: deposit
// CHECK: region: look
// RUN: %exits 66 %isosan run --regions methods -- %t plain > %t.plain 2>&1
// RUN: FileCheck --check-prefix=PLAIN %s < %t.plain
// PLAIN: WARNING: IsoSan: atomicity violation (region Purse::put)
// RUN: %isosan run -- %t plain 2>&1 | FileCheck --check-prefix=SILENT %s
// SILENT: not ordered by any synchronization
// SILENT: SUMMARY: IsoSan: 0 findings
#include <mutex>
#include <thread>

#include "isosan/isosan.h"
#include "steps.h"

[[gnu::noinline]] ISOSAN_NOT_ATOMIC void let_the_other_go() {
  next_step();
  await_step(2);
}

class Purse {
 public:
  [[gnu::noinline]] long both() const { return coins_ + notes_; }
  [[gnu::noinline]] void put(long amount, bool slow) {
    const long before = coins_;
    if (slow) let_the_other_go();
    coins_ = before + amount;
    notes_ += 1;
  }

 private:
  long coins_ = 0, notes_ = 0;
};

struct Safe {
  [[gnu::noinline]] long both() const { return kept + taken; }
  mutable std::mutex mutex;
  long kept = 0, taken = 0;
};

std::mutex mutex;

[[gnu::noinline]] long look(Purse& purse) {
  std::lock_guard lock(mutex);
  return purse.both();
}

[[gnu::noinline]] void deposit(Purse& purse, long amount, bool slow) {
  const long before = look(purse);
  if (slow) let_the_other_go();
  std::lock_guard lock(mutex);
  purse.put(amount + before, false);
}

int main(int argc, char**) {
  Purse purse;
  Safe safe;
  const bool plain = argc > 1;
  std::thread other([&] {
    await_step(1);
    plain ? purse.put(5, false) : deposit(purse, 5, false);
    next_step();
  });
  plain ? purse.put(10, true) : deposit(purse, 10, true);
  other.join();
  return safe.both() == 0 ? 0 : 1;
}
