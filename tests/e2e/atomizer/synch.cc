// --regions synch: lock scopes, from the acquire of a lock to its release (the paper's synchronized blocks). Two scopes in one function are
// two regions. A scope around two critical sections is checked, in a thread entry too. --regions export+synch: exported functions as well.
//
// RUN: %cxx -O1 %s -o %t
// RUN: not timeout 60 %isosan run --analysis atomizer --regions synch -- %t > %t.out 2>&1
// RUN: FileCheck --check-prefix=SYNCH %s < %t.out
// RUN: timeout 60 %isosan record --full -o %t.trace -- %t
// RUN: not timeout 60 %isosan check --analysis atomizer --regions synch %t.trace > %t.check
// RUN: FileCheck --check-prefix=SYNCH %s < %t.check
// RUN: timeout 60 %isosan record --regions synch -o %t.scopes.trace -- %t
// RUN: not timeout 60 %isosan check --analysis atomizer %t.scopes.trace > %t.check
// RUN: FileCheck --check-prefix=SYNCH %s < %t.check
// SYNCH-NOT: (region add_in_two_steps)
// SYNCH: WARNING: IsoSan: {{.*}}(region {{.*(lambda|_M_run).*}})
// SYNCH-NOT: (region add_in_two_steps)
// SYNCH: SUMMARY: IsoSan: 1 finding
// RUN: not timeout 60 %isosan run --analysis atomizer --regions export+synch -- %t > %t.export 2>&1
// RUN: FileCheck --check-prefix=EXPORT %s < %t.export
// EXPORT-DAG: WARNING: IsoSan: {{.*}}(region add_in_two_steps)
// EXPORT-DAG: WARNING: IsoSan: {{.*}}(region {{.*(lambda|_M_run).*}})
// EXPORT: SUMMARY: IsoSan: 2 findings
#include <mutex>

#include "one_after_another.h"

std::mutex mutex, outer[2];
long sum = 0;

OUT_OF_LINE void add_in_two_steps() {
  mutex.lock();
  ++sum;
  mutex.unlock();
  mutex.lock();
  ++sum;
  mutex.unlock();
}
OUT_OF_LINE void add() {
  const std::lock_guard lock(mutex);
  ++sum;
}

int main() {
  for (int i = 0; i < 3; ++i) {
    in_a_thread([] { add_in_two_steps(); });
    in_a_thread([i] {
      const std::lock_guard lock(outer[i % 2]);  // not the same one each time: it does not guard the inner one
      add();
      add();
    });
  }
}
