// no_warn turns the checks off for a single line: by the paper's comment in the source, or by the spec file. A suppression of an inner
// region does not hide the region around it.
// REQUIRES: pass
// RUN: %cxx %s -o %t
// RUN: not %isosan run --analysis atomizer --atomic count -- %t 2>&1 | FileCheck %s
// CHECK: WARNING: IsoSan: {{.*}}(region count)
// CHECK: SUMMARY: IsoSan: 1 finding
// RUN: %isosan run --analysis atomizer --atomic count -- %t marked
//
// RUN: echo '[atomic]' > %t.toml; echo 'functions = ["count"]' >> %t.toml; echo '[assume]' >> %t.toml
// RUN: echo 'no-warn-lines = ["atomizer/no_warn_line.cc:35"]' >> %t.toml
// RUN: %isosan run --analysis atomizer --spec %t.toml -- %t
// RUN: sed s/:35/:4100/ %t.toml > %t.none.toml
// RUN: not %isosan run --analysis atomizer --spec %t.none.toml -- %t 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: 'atomizer/no_warn_line.cc:4100' is not a line that the program has run
//
// RUN: echo '[atomic]' > %t.outer.toml; echo 'functions = ["count", "outer"]' >> %t.outer.toml
// RUN: echo '[[suppress]]' >> %t.outer.toml; echo 'region = "count"' >> %t.outer.toml; echo 'reason = "statistics"' >> %t.outer.toml
// RUN: not %isosan run --analysis atomizer --spec %t.outer.toml -- %t 2>&1 | FileCheck --check-prefix=OUTER %s
// OUTER-NOT: (region count)
// OUTER: WARNING: IsoSan: {{.*}}(region outer)
// OUTER: SUMMARY: IsoSan: 1 finding
#include "one_after_another.h"

long hits = 0;  // nobody minds if one is lost
bool marked = false;

OUT_OF_LINE void count_marked() {
  hits += 1; /*# no_warn */
  hits += 2; /*# no_warn */
}

OUT_OF_LINE void count() {
  if (marked) return count_marked();
  hits = 2 * hits + 1;  // two accesses, one line
}

OUT_OF_LINE void outer() { count(); }

int main(int argc, char**) {
  marked = argc > 1;
  for (int i = 0; i < 3; ++i) in_a_thread(outer);
}
