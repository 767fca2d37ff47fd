// A read of 4 bytes: its byte mask follows the address; a read-shared word goes through the filter.
// RUN: %clang -target aarch64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -target x86_64-linux-gnu -O2 -S -emit-llvm %s -o - | FileCheck %s
int load4(int* p) { return *p; }

// CHECK-LABEL: @load4(
// CHECK:   and i64 {{.*}}, -8
// CHECK:   xor i64 {{.*}}, 70368744177664
// CHECK:   load atomic i64, ptr {{.*}} monotonic
// CHECK:   shl nuw nsw i64 15
// CHECK:   br i1 %isosan.hit
// CHECK: isosan.claim:
// CHECK:   fence syncscope("singlethread") release
// CHECK:   store atomic i64 {{.*}} release
// CHECK: isosan.filter.add:
// CHECK:   getelementptr inbounds i8, ptr %isosan.self{{[0-9]*}}, i64 80
// CHECK: isosan.slow:
// CHECK:   call preserve_mostcc void @__isosan_read(ptr {{.*}}%p, i64 4, ptr {{.*}}@isosan.sites
// CHECK: declare preserve_mostcc void @__isosan_read(ptr, i64, ptr) {{.*}}[[ATTR:#[0-9]+]]
// CHECK: attributes [[ATTR]] = { {{.*}}nonlazybind
