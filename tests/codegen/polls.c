// A safe point at each back edge and at the entry of functions that call others; none in a leaf without loops.
// RUN: %clang -target aarch64-linux-gnu -O1 -S -emit-llvm %s -o - | FileCheck %s
int other(int);

// CHECK-LABEL: @leaf(
// CHECK-NOT:   isosan.poll
// CHECK:       ret
int leaf(int* p) { return *p + p[1]; }

// CHECK-LABEL: @caller(
// CHECK:       %isosan.poll = load atomic i32, ptr {{.*}} monotonic
// CHECK:       call preserve_mostcc void @__isosan_poll()
// CHECK:       @other(
int caller(int n) { return other(n) + 1; }

// CHECK-LABEL: @spin(
// CHECK:       load volatile i32, ptr %p
// CHECK:       load atomic i32, ptr {{.*}} monotonic
// CHECK:       call preserve_mostcc void @__isosan_poll()
void spin(volatile int* p) {
  while (*p == 0) {
  }
}
