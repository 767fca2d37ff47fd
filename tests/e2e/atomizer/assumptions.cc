// What the user knows better: annotations and the spec file's [assume]. Each of them takes the
// warning away; without them it is there.
//
// RUN: %cxx %s -o %t
// RUN: not %isosan run --analysis atomizer --atomic count -- %t 2>&1 | FileCheck %s
// CHECK: WARNING: IsoSan: {{.*}}count
//
// RUN: echo '[atomic]' > %t.toml; echo 'functions = ["count"]' >> %t.toml
// RUN: cp %t.toml %t.mover.toml; echo '[assume]' >> %t.mover.toml
// RUN: echo 'mover = ["bump"]' >> %t.mover.toml
// RUN: %isosan run --analysis atomizer --spec %t.mover.toml -- %t
// RUN: cp %t.toml %t.quiet.toml; echo '[assume]' >> %t.quiet.toml
// RUN: echo 'no-warn = ["bump"]' >> %t.quiet.toml
// RUN: %isosan run --analysis atomizer --spec %t.quiet.toml -- %t
// RUN: cp %t.toml %t.none.toml; echo '[assume]' >> %t.none.toml
// RUN: echo 'mover = ["bumps"]' >> %t.none.toml
// RUN: not %isosan run --analysis atomizer --spec %t.none.toml -- %t 2>&1 \
// RUN:   | FileCheck --check-prefix=NONE %s
// NONE: 'bumps' matches no function of the program
#include "one_after_another.h"

long hits = 0;  // nobody minds if one is lost

OUT_OF_LINE void bump() { ++hits; }

OUT_OF_LINE void count() {
  bump();
  bump();
}

int main() {
  for (int i = 0; i < 3; ++i) in_a_thread(count);
}
