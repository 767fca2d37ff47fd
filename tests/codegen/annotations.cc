// Annotations: bits in the record (1 atomic, 8 assume_atomic, 32 no_warn, 4096 compiled with optimisation), a trivial leaf that is annotated
// is a candidate all the same, and blocks have a site of their own with the name as field.
// RUN: %clangxx -target aarch64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -target aarch64-linux-gnu -O0 -S -emit-llvm %s -o - | FileCheck %s
#include <isosan/isosan.h>
int shared;

// CHECK-DAG: @__isosan_function._Z4leafv = {{.*}} i8 0, i32 {{1|4097}}, i32 0 }, section "isosan_functions"
// CHECK-DAG: @__isosan_function._Z6silentv = {{.*}} i8 0, i32 {{40|4136}}, i32 0 }, section "isosan_functions"
// CHECK-DAG: c"audit\00"
// CHECK-LABEL: @_Z4leafv(
// CHECK:       @isosan.enter(
ISOSAN_ATOMIC int leaf() { return shared; }
ISOSAN_NO_WARN ISOSAN_ASSUME_ATOMIC void silent() { shared++; }

// CHECK-LABEL: @_Z5blockv(
// CHECK:       call void @__isosan_region_begin(ptr {{.*}}@isosan.sites{{.*}}, ptr null, i32 0)
// CHECK:       store i32 {{.*}}, ptr @shared
// CHECK:       call void @__isosan_region_end(ptr null, ptr null, i32 0)
void block() {
  isosan::atomic_region region("audit");
  shared++;
}
