// ISOSAN_ASSUME_GUARDED on a field and on a global: their accesses never conflict, says the program.
// (Attributes need clang: the pass front.)
//
// REQUIRES: pass
// RUN: %cxx -I%include %s -o %t
// RUN: timeout 60 %isosan run --analysis atomizer --atomic '*count_in_*' -- %t 2>&1 | FileCheck --check-prefix=FINE %s
// FINE: SUMMARY: IsoSan: 0 findings
// RUN: printf '[assume]\nguarded = ["total", "Pool::*", "Board::*"]\n' > %t.toml
// RUN: %cxx -I%include -DPLAIN %s -o %t.plain
// RUN: not timeout 60 %isosan run --analysis atomizer --atomic '*count_in_*' -- %t.plain > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: timeout 60 %isosan run --analysis atomizer --atomic '*count_in_*' --spec %t.toml -- %t.plain 2>&1 | FileCheck --check-prefix=FINE %s
// CHECK-DAG: WARNING: IsoSan: {{.*}}count_in_field
// CHECK-DAG: WARNING: IsoSan: {{.*}}count_in_global
// CHECK-DAG: WARNING: IsoSan: {{.*}}count_in_first
// CHECK-DAG: WARNING: IsoSan: {{.*}}count_in_class
#include <isosan/isosan.h>

#include "one_after_another.h"

#ifdef PLAIN
#undef ISOSAN_ASSUME_GUARDED
#define ISOSAN_ASSUME_GUARDED
#endif

class Pool {
 public:
  OUT_OF_LINE void count_in_field() {
    hits_ = hits_ + 1;
    __asm__ volatile("" ::: "memory");
    hits_ = hits_ + 1;
  }

 private:
  long used_ = 0;
  ISOSAN_ASSUME_GUARDED long hits_ = 0;
};

struct Point {
  long x = 0, y = 0;
};
struct Board {
  OUT_OF_LINE void count_in_class() {
    at.y = at.y + 1;
    __asm__ volatile("" ::: "memory");
    at.y = at.y + 1;
  }
  ISOSAN_ASSUME_GUARDED long first = 0;
  ISOSAN_ASSUME_GUARDED Point at;
};

Pool pool;
Board board;
ISOSAN_ASSUME_GUARDED long total = 0;

OUT_OF_LINE void add(long& counter) { ++counter; }

OUT_OF_LINE void count_in_global() {
  add(total);
  add(total);
}

OUT_OF_LINE void count_in_first() {
  board.first = board.first + 1;
  __asm__ volatile("" ::: "memory");
  board.first = board.first + 1;
}

int main() {
  for (int i = 0; i < 3; ++i) {
    in_a_thread([] { pool.count_in_field(); });
    in_a_thread(count_in_global);
    in_a_thread(count_in_first);
    in_a_thread([] { board.count_in_class(); });
  }
}
