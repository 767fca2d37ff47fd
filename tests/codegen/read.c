// A read of 4 bytes: its byte mask follows the address; a read-shared word asks the filter in a function of its own.
// RUN: %clang -target aarch64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -target x86_64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
int load4(int* p) { return *p; }

// CHECK-LABEL: @load4(
// CHECK:   and i64 {{.*}}, -8
// CHECK:   xor i64 {{.*}}, 70368744177664
// CHECK:   load atomic i64, ptr {{.*}} monotonic
// CHECK:   shl nuw nsw i64 15
// CHECK:   br i1 %isosan.missed
// CHECK:   icmp sgt i64 %isosan.word, -1
// CHECK:   call preserve_allcc void @isosan.shared.read.4(ptr {{[^,]*}}%p, ptr {{[^,]*}}@isosan.sites{{[^,]*}})
// CHECK:   call preserve_allcc void @isosan.read.4(ptr {{[^,]*}}%p, ptr {{[^,]*}}@isosan.sites{{[^,]*}})
// CHECK:   load i32, ptr %p

// CHECK-LABEL: define linkonce_odr hidden preserve_allcc void @isosan.transfer.read.4(
// CHECK-DAG:   cmpxchg ptr {{.*}} acq_rel monotonic
// CHECK-DAG:   fence syncscope("singlethread") release
// CHECK-DAG:   tail call preserve_allcc void @isosan.slow.read.4(
// CHECK-LABEL: define linkonce_odr hidden preserve_allcc void @isosan.slow.read.4(
// CHECK:       call preserve_mostcc void @__isosan_read(ptr %{{[0-9]+}}, i64 4, ptr
// CHECK: declare preserve_mostcc void @__isosan_read(ptr, i64, ptr) {{.*}}[[ATTR:#[0-9]+]]
// CHECK-LABEL: define linkonce_odr hidden preserve_allcc void @isosan.read.4(
// CHECK-DAG:   fence syncscope("singlethread") release
// CHECK-DAG:   cmpxchg ptr {{.*}} acq_rel monotonic
// CHECK-DAG:   tail call preserve_allcc void @isosan.transfer.read.4(
// CHECK-LABEL: define linkonce_odr hidden preserve_allcc void @isosan.shared.read.4(
// CHECK-DAG:   and i64 {{.*}}, 32767
// CHECK-DAG:   tail call preserve_allcc void @isosan.read.4(ptr %0, ptr %1)
// CHECK: attributes [[ATTR]] = { {{.*}}nonlazybind
