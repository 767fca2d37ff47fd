// Blocks by annotation in the source, by spec file and by option; nested ones, each told for itself; and
// atomic regions in the same run, for the analysis that is about them.
//
// RUN: %cxx -I%include %s -o %t
// RUN: not timeout 60 %isosan run --analysis singletrack -- %t > %t.blocks 2>&1
// RUN: FileCheck %s < %t.blocks
// CHECK-DAG: conflict inside a deterministic region (region outer)
// CHECK-DAG: conflict inside a deterministic region (region inner)
// RUN: FileCheck --check-prefix=QUIET %s < %t.blocks
// QUIET-NOT: (region calm)
//
// RUN: printf '[deterministic]\nfunctions = ["count_in_*"]\n[atomic]\nfunctions = ["bump"]\n' > %t.toml
// RUN: not timeout 60 %isosan run --analysis singletrack,atomizer --spec %t.toml -- %t > %t.spec 2>&1
// RUN: FileCheck --check-prefix=SPEC %s < %t.spec
// SPEC-DAG: conflict inside a deterministic region (region count_in_a_team) [singletrack]
// SPEC-DAG: conflict inside a deterministic region (region outer) [singletrack]
// RUN: FileCheck --check-prefix=ATOMIC %s < %t.spec
// ATOMIC: (region bump) [atomizer]
// ATOMIC-NOT: (region bump) [singletrack]
// ATOMIC-NOT: [atomizer], (region count
//
// RUN: not timeout 60 %isosan run --analysis singletrack --deterministic count_alone --deterministic count_in_a_team -- %t \
// RUN:   > %t.option 2>&1
// RUN: FileCheck --check-prefix=OPTION %s < %t.option
// OPTION: (region count_in_a_team)
// OPTION-NOT: (region count_alone)
#include <isosan/isosan.h>

#include "team.h"

long total = 0, calm[2] = {};

OUT_OF_LINE void bump() {
  const long seen = total;
  total = seen + 1;
}
OUT_OF_LINE void count_in_a_team() {
  in_team(3, [](int) {  // often enough for the last one to be seen by atomizer, in any order
    bump();
    bump();
  });
}
OUT_OF_LINE void count_alone() {
  for (int i = 0; i < 2; ++i) bump();
}

int main() {
  ISOSAN_DETERMINISTIC_BEGIN("outer");
  {
    isosan::deterministic_region region("inner");
    count_in_a_team();
  }
  {
    isosan::deterministic_region region("calm");
    count_alone();
    in_team(2, [](int i) { ++calm[i]; });
  }
  ISOSAN_DETERMINISTIC_END();
}
