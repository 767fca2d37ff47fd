// Atomizer 4.4: writers hold the lock, a reader does not. The increment stays atomic: under the
// lock that all writers hold its read is a both-mover. Without that refinement (Fig. 14) the
// variable has no lock at all and the increment is warned about.
//
// RUN: %cxx %s -o %t
// RUN: %isosan run --analysis atomizer --atomic inc --atomic read_it -- %t
// RUN: not %isosan run --analysis atomizer --atomizer-without write-protected --atomic inc -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
//
// CHECK: WARNING: IsoSan: {{.*}}inc
#include <mutex>

#include "one_after_another.h"

std::mutex mutex;
int x = 0;
int seen = 0;

OUT_OF_LINE int read_it() { return x; }

OUT_OF_LINE void inc() {
  std::lock_guard guard(mutex);
  x = x + 1;
}

int main() {
  for (int i = 0; i < 3; ++i) {
    in_a_thread(inc);
    in_a_thread([] { seen += read_it(); });
  }
  in_a_thread(inc);
}
