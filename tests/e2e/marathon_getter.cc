// Who calls a getter accesses the object directly, also if the getter takes a lock: copy() is a unit of work for the log that it is given,
// and another thread's add() between size() and last() is a violation. A thread's entry is no unit, whatever it calls.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: not timeout 60 %isosan run --analysis marathon -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: atomic-set violation (Log)
// CHECK: Report::copy (thread 0) before Log::add
// CHECK: SUMMARY: IsoSan: 1 finding
// RUN: %cxx -DENTRY %s %steps -o %t.entry
// RUN: timeout 60 %isosan run --analysis marathon -- %t.entry > %t.out 2>&1
// RUN: FileCheck --check-prefix=NONE %s < %t.out
// NONE: SUMMARY: IsoSan: 0 findings
#include <thread>

#include "locked_log.h"
#include "steps.h"

class Report {
 public:
  [[gnu::noinline]] void copy(Log& log) {
    size_ = log.size();
    next_step();
    await_step(2);
    last_ = log.last();
  }

 private:
  int size_ = 0;
  int last_ = 0;
};

int main() {
  Log log;
  Report report;
  log.add(1);
  std::thread other([&] {
    await_step(1);
    log.add(2);
    next_step();
  });
#ifdef ENTRY
  log.size();
  next_step();
  await_step(2);
  log.last();
#else
  report.copy(log);
#endif
  other.join();
}
