// x++ is a read and a write, on both the plain and the atomic path; neither is dropped.
// RUN: %clang -target aarch64-linux-gnu -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -target aarch64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
long counter;

// CHECK-LABEL: @plain(
// CHECK:       call preserve_mostcc void @__isosan_read(ptr {{.*}}@counter, i64 8
// CHECK:       load i64, ptr @counter
// CHECK:       call preserve_mostcc void @__isosan_write(ptr {{.*}}@counter, i64 8
// CHECK:       store i64 {{.*}}, ptr @counter
void plain(void) { counter++; }
