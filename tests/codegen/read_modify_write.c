// x++ is a read and a write; neither is dropped.
// RUN: %clang -target aarch64-linux-gnu -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -target aarch64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
long counter;

// CHECK-LABEL: @plain(
// CHECK:       call preserve_allcc void @isosan.read.8(ptr {{.*}}@counter,
// CHECK:       load i64, ptr @counter
// CHECK:       call preserve_allcc void @isosan.write.8(ptr {{.*}}@counter,
// CHECK:       store i64 {{.*}}, ptr @counter
void plain(void) { counter++; }
