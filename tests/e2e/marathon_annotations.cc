// Atomic sets, owned members, units and parameters of <isosan/isosan.h>, each with its effect.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: not timeout 60 %isosan run --analysis marathon -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// Sensor: two sets in one object, which never belong together: no finding.
// CHECK-NOT: (Sensor)
// CHECK-NOT: (limits)
// CHECK: atomic-set violation (Log)
// CHECK: Report::copy
// CHECK: SUMMARY: IsoSan: 1 finding
//
// RUN: %cxx -DPLAIN %s %steps -o %t.plain
// RUN: not timeout 60 %isosan run --analysis marathon -- %t.plain > %t.out 2>&1
// RUN: FileCheck --check-prefix=PLAIN %s < %t.out
// PLAIN: atomic-set violation (Sensor)
// PLAIN: SUMMARY: IsoSan: 1 finding
#include <isosan/isosan.h>

#include <mutex>
#include <thread>

#include "locked_log.h"
#include "steps.h"

#ifdef PLAIN
#undef ISOSAN_ATOMIC_SET
#define ISOSAN_ATOMIC_SET(name)
#undef ISOSAN_UNITFOR
#define ISOSAN_UNITFOR
#endif

class Sensor {
 public:
  [[gnu::noinline]] int read() {
    mutex_.lock();
    const int value = value_;
    mutex_.unlock();
    next_step();
    await_step(2);
    std::lock_guard lock(mutex_);
    return value < limit_ ? value : 0;
  }
  [[gnu::noinline]] void set(int value, int limit) {
    std::lock_guard lock(mutex_);
    value_ = value;
    limit_ = limit;
  }

 private:
  std::mutex mutex_;
  int value_ = 0;
  int limit_ ISOSAN_ATOMIC_SET(limits) = 0;
};

class Report {
 public:
  [[gnu::noinline]] void copy(Log& log ISOSAN_UNITFOR) {
    before_ = log.last();
    next_step();
    await_step(4);
    last_ = log.last();
  }

 private:
  int before_ = 0;
  int last_ = 0;
};

int main() {
  Sensor sensor;
  Log log;
  Report report;
  log.add(1);
  std::thread other([&] {
    await_step(1);
    sensor.set(1, 2);
    next_step();
    await_step(3);
    log.add(2);
    next_step();
  });
  sensor.read();
  report.copy(log);
  other.join();
}
