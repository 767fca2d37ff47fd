// ISOSAN_DETERMINISTIC on functions: no option says what to check. (Attributes need clang: the pass front.)
//
// REQUIRES: pass
// RUN: %cxx -I%include %s -o %t
// RUN: not timeout 60 %isosan run --analysis singletrack -- %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK: conflict inside a deterministic region (region racy_sum)
// CHECK-NOT: (region sum)
// CHECK-NOT: (region main)
#include <isosan/isosan.h>

#include "team.h"

ISOSAN_DETERMINISTIC OUT_OF_LINE long sum() {
  long parts[2] = {};
  in_team(2, [&](int i) { parts[i] = i; });
  return parts[0] + parts[1];
}

ISOSAN_DETERMINISTIC OUT_OF_LINE long racy_sum() {
  long total = 0;
  in_team(2, [&](int i) { total += i; });
  return total;
}

int main() { return sum() + racy_sum() > 2; }
